"""A client of Muster's API with the standard library of Python 3.9 or newer.

Environment: MUSTER_URL (https://muster.example.com), MUSTER_API_KEY.
"""

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ["MUSTER_URL"].rstrip("/")
KEY = os.environ["MUSTER_API_KEY"]
# Name of the list member that holds the records (MUSTER_RECORDS_MEMBER of the server).
RECORDS = os.environ.get("MUSTER_RECORDS_MEMBER", "the service")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, because another server would get the key."""

    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(NoRedirect)


def detail_of(error):
    """Returns the reason of an error; an empty text if a proxy answered, not Muster."""
    try:
        return json.loads(error.read()).get("detail", "")
    except ValueError:
        return ""


def call(method, path, query=None, body=None, idempotency_key=None):
    """Sends a request and returns the answer. Waits when the rate limit says so, and repeats what is safe to repeat."""
    url = URL + path
    if query:
        url += "?" + urllib.parse.urlencode(query, doseq=True)
    headers = {"x-api-key": KEY, "accept": "application/json, text/event-stream"}
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        headers["content-type"] = "application/json"
    if idempotency_key:
        headers["idempotency-key"] = idempotency_key
    for attempt in range(6):
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        try:
            with opener.open(request, timeout=60) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            is_busy = error.code == 429 or (error.code in (409, 503) and "retry-after" in error.headers)
            if not is_busy or attempt == 5:
                raise RuntimeError(f"{method} {path}: {error.code} {detail_of(error)}") from None
            time.sleep(int(error.headers.get("retry-after", 1)))


def walk(path, **filters):
    """Returns all records of a list, page after page."""
    token = None
    while True:
        query = dict(filters, limit=1000)
        if token:
            query["nextToken"] = token
        page = call("GET", path, query)
        yield from page[RECORDS]
        token = page["paging"]["nextToken"]
        if not token:
            return


def tool(name, **arguments):
    """Calls a tool of assistants at /mcp, for answers that the API does not have. Returns its data."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    result = call("POST", "/mcp", body=message)["result"]
    text = result["content"][0]["text"]
    if result.get("isError"):
        raise RuntimeError(text)
    return json.loads(text.split("<data>\n", 1)[1].rsplit("\n</data>", 1)[0])


if __name__ == "__main__":
    for employee in walk("/v1/employees", licensed="true"):
        print(employee["email"])
