"""Opens a ticket for each open finding with priority P1.

    TICKET_URL=https://tickets.example.com/api/issues python3 tickets.py tickets.json

The file remembers the findings that have a ticket. Run it every few minutes. Ticket systems differ: adapt open_ticket. A read-only key
is enough.
"""

import json
import os
import sys
import urllib.request

import muster_api

path = sys.argv[1]
known = {}
if os.path.exists(path):
    with open(path, encoding="utf-8") as file:
        known = json.load(file)


def open_ticket(title, text, external_id):
    body = json.dumps({"title": title, "description": text, "externalId": external_id}).encode()
    headers = {"content-type": "application/json"}
    token = os.environ.get("TICKET_TOKEN")
    if token:
        headers["authorization"] = f"Bearer {token}"
    request = urllib.request.Request(os.environ["TICKET_URL"], data=body, headers=headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        answer.read()


def urgent_findings():
    cursor = {}
    while True:
        page = muster_api.tool("search_findings", state="OPEN", priority="P1", limit=50, **cursor)
        yield from page["records"]
        if not page["nextCursor"]:
            return
        cursor = {"cursor": page["nextCursor"]}


for finding in urgent_findings():
    if finding["id"] in known:
        continue
    facts = muster_api.tool("explain_finding", id=finding["id"])
    who = (facts["employee"] or {}).get("email", "nobody in particular")
    app = (facts["app"] or {}).get("friendlyName", "an app")
    reasons = "".join(f"\n- {reason}" for reason in facts["priorityReasons"])
    text = f"{facts['meaning']}\n\nWhy it is urgent:{reasons}\n\nTo do: {facts['recommendedAction']}\n"
    text += f"\n{muster_api.URL}/console/findings/{finding['id']}"
    open_ticket(f"{facts['name']}: {who}, {app}", text, finding["id"])
    # At once: after a crash no ticket is opened again, except for the last one.
    known[finding["id"]] = True
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(known, file)
    os.replace(path + ".new", path)
    print(f"{facts['name']}: {who}, {app}")
