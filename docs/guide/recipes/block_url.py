"""Blocks the host of a phishing page in all browsers, from an alert.

    python3 block_url.py < alert.json

The alert is an event of a webhook or a stream, for example of PHISHING. Hosts on the sites of your own apps are never blocked. Needs a
key with full access.
"""

import ipaddress
import json
import sys
import urllib.parse

import muster_api

alert = json.load(sys.stdin)
detection = alert.get("new") or alert
host = urllib.parse.urlsplit(detection.get("url") or "").hostname
if not host:
    sys.exit("The alert has no address of a page.")


COUNTRY_SUFFIXES = {"ac", "co", "com", "edu", "gov", "ne", "net", "or", "org"}


def site_of(name):
    """Returns the site of a host, such as google.com for forms.google.com. It is too large below unusual suffixes."""
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        labels = name.split(".")
        is_below_country = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in COUNTRY_SUFFIXES
        return ".".join(labels[-3:] if is_below_country else labels[-2:])


websites = [app["website"] for app in muster_api.walk("/v1/apps") if app["website"]]
own = [urllib.parse.urlsplit(site if "//" in site else "https://" + site).hostname for site in websites]
own += [app["domain"] for app in muster_api.walk("/v1/appsOther")]
for name in own:
    if name and site_of(name) == site_of(host):
        sys.exit(f"{host} is on the site of {name}, which your people use. Block it by hand if you are sure.")

if any(blocked["url"] == host for blocked in muster_api.walk("/v1/controls/blockedUrls")):
    print(f"{host} is blocked already.")
else:
    # The same alert blocks once, however often it comes.
    key = f"block-{alert['id']}" if "id" in alert else None
    muster_api.call("POST", "/v1/controls/blockedUrls", body={"url": host}, idempotency_key=key)
    print(f"{host} is blocked in all browsers at their next check-in.")
