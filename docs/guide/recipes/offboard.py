"""Offboards the people who have left, from a list of the HR system.

    python3 offboard.py leavers.csv > accounts-to-close.csv

The list has the columns email and last_day (2026-11-30; empty for those who stay). People whose last day is over lose their license,
which also stops their browsers from reporting. The output lists their accounts in other products, for those who have to close them.
Running it again changes nothing. Needs a key with full access.
"""

import csv
import datetime
import sys

import muster_api

today = datetime.date.today()
with open(sys.argv[1], newline="", encoding="utf-8-sig") as file:
    rows = [(row["email"].strip().lower(), (row["last_day"] or "").strip()) for row in csv.DictReader(file)]
# Another form of dates would offboard the wrong people: fails before anything is changed.
leavers = [email for email, last_day in rows if last_day and datetime.date.fromisoformat(last_day) < today]

output = csv.writer(sys.stdout)
output.writerow(["employee", "app", "account", "website"])
apps = {app["id"]: app for app in muster_api.walk("/v1/apps")}
other_apps = {app["id"]: app["domain"] for app in muster_api.walk("/v1/appsOther")}


def write(*values):
    # Account names come from web pages. A spreadsheet would run some as formulas.
    output.writerow(["'" + value if value.startswith(tuple("=+-@\t\r\n")) else value for value in values])


for email in leavers:
    # The filter finds parts of addresses, too.
    found = [one for one in muster_api.walk("/v1/employees", email=email) if one["email"].lower() == email]
    if not found:
        print(f"{email}: not in Muster", file=sys.stderr)
    for employee in found:
        if employee["licensed"]:
            muster_api.call("PATCH", f"/v1/employees/{employee['id']}", body={"licensed": False})
            print(f"{email}: license removed", file=sys.stderr)
        for account in muster_api.walk("/v1/accounts", employeeId=employee["id"]):
            app = apps.get(account["appId"], {})
            write(email, app.get("friendlyName", account["appType"]), account["email"], app.get("website") or "")
        for account in muster_api.walk("/v1/accountsOther", employeeId=employee["id"]):
            domain = other_apps.get(account["otherAppId"], "")
            write(email, domain, account["email"], domain)
