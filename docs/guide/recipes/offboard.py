"""Offboards the people who have left, from a list of the HR system.

    python3 offboard.py leavers.csv > accounts-to-close.csv

The list has the columns email and last_day (2026-11-30). People whose last day is over lose their license, which also stops their
browsers from reporting. The output lists their accounts in other products, for those who have to close them. Running it again changes
nothing. Needs a key with full access.
"""

import csv
import datetime
import sys

import muster_api

today = datetime.date.today().isoformat()
output = csv.writer(sys.stdout)
output.writerow(["employee", "app", "account", "website"])
apps = {app["id"]: app for app in muster_api.walk("/v1/apps")}

with open(sys.argv[1], newline="", encoding="utf-8-sig") as file:
    leavers = [row for row in csv.DictReader(file) if row["last_day"] < today]

for row in leavers:
    email = row["email"].strip().lower()
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
            output.writerow([email, app.get("friendlyName", account["appType"]), account["email"], app.get("website") or ""])
