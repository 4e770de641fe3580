"""Measured in fresh processes: what a program pays until the answer of its first call is there.

    python start.py bare
    python start.py PACKAGE BASE_URL

Prints CPU seconds (user and system, of all threads), counted from after the start of the
interpreter: until the import is done, and until the first call is. ``bare`` is what clients on
these libraries start from: it imports them and makes an HTTP client, and makes no call. The last
figure is what loading the system's certificates costs, by itself.
"""

import sys
import time

begin = time.process_time()
if sys.argv[1] == "bare":
    http, _ = __import__("httpx2"), __import__("pydantic")
    imported = time.process_time() - begin
    http.Client()
else:
    client_class = __import__(sys.argv[1]).OpenAI  # what nobody uses may not be imported yet
    imported = time.process_time() - begin
    client = client_class(api_key="none", base_url=sys.argv[2])
    completion = client.chat.completions.create(
        model="gpt-4o", messages=[{"role": "user", "content": "Shall I take an umbrella?"}]
    )
    assert completion.choices[0].message.content
called = time.process_time() - begin

begin = time.process_time()
__import__("httpx2").create_ssl_context()
print(imported, called, time.process_time() - begin)
