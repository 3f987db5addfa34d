"""Blocks the host of a phishing page in all browsers, from an alert.

    python3 block_url.py < alert.json

The alert is an event of a webhook or a stream, for example of PHISHING. Hosts of your own apps are never blocked. Needs a key with
full access.
"""

import json
import sys
import urllib.parse

import muster_api

alert = json.load(sys.stdin)
detection = alert.get("new") or alert
host = urllib.parse.urlsplit(detection["url"]).hostname
if not host:
    sys.exit("The alert has no address of a page.")


def is_below(name, domain):
    return name == domain or name.endswith("." + domain)


websites = [app["website"] for app in muster_api.walk("/v1/apps") if app["website"]]
domains = [urllib.parse.urlsplit(site if "//" in site else "https://" + site).hostname for site in websites]
for domain in domains:
    if domain and is_below(host, domain.removeprefix("www.")):
        sys.exit(f"{host} belongs to {domain}, which your people use. Block it by hand if you are sure.")

if any(blocked["url"] == host for blocked in muster_api.walk("/v1/controls/blockedUrls")):
    print(f"{host} is blocked already.")
else:
    # The same alert blocks once, however often it comes.
    key = f"block-{alert['id']}" if "id" in alert else None
    muster_api.call("POST", "/v1/controls/blockedUrls", body={"url": host}, idempotency_key=key)
    print(f"{host} is blocked in all browsers at their next check-in.")
