-- Figures of apps, for the list of apps in the console: docs/adr/0051-app-figures-are-kept-by-triggers.md.
-- Triggers keep them, so every way of changing accounts and findings does, also that of the previous version.

-- Accounts of each employee in each app.
CREATE TABLE app_people (
  org INTEGER NOT NULL,
  app_id TEXT NOT NULL,
  employee_id TEXT NOT NULL,
  accounts INTEGER NOT NULL,
  PRIMARY KEY (org, app_id, employee_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE app_figures (
  org INTEGER NOT NULL,
  app_id TEXT NOT NULL,
  -- Employees with an account.
  people INTEGER NOT NULL,
  accounts INTEGER NOT NULL,
  open_findings INTEGER NOT NULL,
  -- Accounts by sign-in method.
  by_password INTEGER NOT NULL,
  by_oidc INTEGER NOT NULL,
  by_saml INTEGER NOT NULL,
  by_okta_swa INTEGER NOT NULL,
  by_vendor_sso INTEGER NOT NULL,
  by_fedcm INTEGER NOT NULL,
  PRIMARY KEY (org, app_id)
) STRICT, WITHOUT ROWID;

-- Finds the last use of an app.
CREATE INDEX accounts_last_use ON accounts (org, app_id, last_used_timestamp) WHERE last_used_timestamp IS NOT NULL;

INSERT INTO app_people (org, app_id, employee_id, accounts)
  SELECT org, app_id, employee_id, count(*) FROM accounts GROUP BY org, app_id, employee_id;
INSERT INTO app_figures (org, app_id, people, accounts, open_findings, by_password, by_oidc, by_saml, by_okta_swa, by_vendor_sso, by_fedcm)
  SELECT a.org, a.app_id, count(DISTINCT a.employee_id), count(*), 0,
    sum(coalesce(a.login_methods, 0) & 1),
    sum((coalesce(a.login_methods, 0) >> 1) & 1),
    sum((coalesce(a.login_methods, 0) >> 2) & 1),
    sum((coalesce(a.login_methods, 0) >> 3) & 1),
    sum((coalesce(a.login_methods, 0) >> 4) & 1),
    sum((coalesce(a.login_methods, 0) >> 5) & 1)
  FROM accounts AS a GROUP BY a.org, a.app_id;
INSERT INTO app_figures (org, app_id, people, accounts, open_findings, by_password, by_oidc, by_saml, by_okta_swa, by_vendor_sso, by_fedcm)
  SELECT org, app_id, 0, 0, count(*), 0, 0, 0, 0, 0, 0 FROM findings
  WHERE state = 'OPEN' AND app_id IS NOT NULL GROUP BY org, app_id
  ON CONFLICT (org, app_id) DO UPDATE SET open_findings = excluded.open_findings;

CREATE TRIGGER app_people_added AFTER INSERT ON app_people
  BEGIN
    INSERT INTO app_figures (org, app_id, people, accounts, open_findings, by_password, by_oidc, by_saml, by_okta_swa, by_vendor_sso, by_fedcm)
      VALUES (NEW.org, NEW.app_id, 1, 0, 0, 0, 0, 0, 0, 0, 0)
      ON CONFLICT (org, app_id) DO UPDATE SET people = people + 1;
  END;
CREATE TRIGGER app_people_removed AFTER DELETE ON app_people
  BEGIN
    UPDATE app_figures SET people = people - 1 WHERE org = OLD.org AND app_id = OLD.app_id;
  END;
CREATE TRIGGER app_figures_account_added AFTER INSERT ON accounts
  BEGIN
    INSERT INTO app_people (org, app_id, employee_id, accounts) VALUES (NEW.org, NEW.app_id, NEW.employee_id, 1)
      ON CONFLICT (org, app_id, employee_id) DO UPDATE SET accounts = accounts + 1;
    INSERT INTO app_figures (org, app_id, people, accounts, open_findings, by_password, by_oidc, by_saml, by_okta_swa, by_vendor_sso, by_fedcm)
      VALUES (NEW.org, NEW.app_id, 0, 1, 0,
        coalesce(NEW.login_methods, 0) & 1,
        (coalesce(NEW.login_methods, 0) >> 1) & 1,
        (coalesce(NEW.login_methods, 0) >> 2) & 1,
        (coalesce(NEW.login_methods, 0) >> 3) & 1,
        (coalesce(NEW.login_methods, 0) >> 4) & 1,
        (coalesce(NEW.login_methods, 0) >> 5) & 1)
      ON CONFLICT (org, app_id) DO UPDATE SET accounts = accounts + 1,
        by_password = by_password + excluded.by_password,
        by_oidc = by_oidc + excluded.by_oidc,
        by_saml = by_saml + excluded.by_saml,
        by_okta_swa = by_okta_swa + excluded.by_okta_swa,
        by_vendor_sso = by_vendor_sso + excluded.by_vendor_sso,
        by_fedcm = by_fedcm + excluded.by_fedcm;
  END;
CREATE TRIGGER app_figures_account_removed AFTER DELETE ON accounts
  BEGIN
    UPDATE app_people SET accounts = accounts - 1 WHERE org = OLD.org AND app_id = OLD.app_id AND employee_id = OLD.employee_id;
    DELETE FROM app_people WHERE org = OLD.org AND app_id = OLD.app_id AND employee_id = OLD.employee_id AND accounts = 0;
    UPDATE app_figures SET accounts = accounts - 1,
        by_password = by_password - (coalesce(OLD.login_methods, 0) & 1),
        by_oidc = by_oidc - ((coalesce(OLD.login_methods, 0) >> 1) & 1),
        by_saml = by_saml - ((coalesce(OLD.login_methods, 0) >> 2) & 1),
        by_okta_swa = by_okta_swa - ((coalesce(OLD.login_methods, 0) >> 3) & 1),
        by_vendor_sso = by_vendor_sso - ((coalesce(OLD.login_methods, 0) >> 4) & 1),
        by_fedcm = by_fedcm - ((coalesce(OLD.login_methods, 0) >> 5) & 1)
      WHERE org = OLD.org AND app_id = OLD.app_id;
  END;
-- A change removes the account as it was and adds it as it is. SQLite has no functions, so the statements of both triggers
-- above are repeated.
CREATE TRIGGER app_figures_account_changed AFTER UPDATE OF app_id, employee_id, login_methods ON accounts
  WHEN NEW.app_id IS NOT OLD.app_id OR NEW.employee_id IS NOT OLD.employee_id OR NEW.login_methods IS NOT OLD.login_methods
  BEGIN
    INSERT INTO app_people (org, app_id, employee_id, accounts) VALUES (NEW.org, NEW.app_id, NEW.employee_id, 1)
      ON CONFLICT (org, app_id, employee_id) DO UPDATE SET accounts = accounts + 1;
    INSERT INTO app_figures (org, app_id, people, accounts, open_findings, by_password, by_oidc, by_saml, by_okta_swa, by_vendor_sso, by_fedcm)
      VALUES (NEW.org, NEW.app_id, 0, 1, 0,
        coalesce(NEW.login_methods, 0) & 1,
        (coalesce(NEW.login_methods, 0) >> 1) & 1,
        (coalesce(NEW.login_methods, 0) >> 2) & 1,
        (coalesce(NEW.login_methods, 0) >> 3) & 1,
        (coalesce(NEW.login_methods, 0) >> 4) & 1,
        (coalesce(NEW.login_methods, 0) >> 5) & 1)
      ON CONFLICT (org, app_id) DO UPDATE SET accounts = accounts + 1,
        by_password = by_password + excluded.by_password,
        by_oidc = by_oidc + excluded.by_oidc,
        by_saml = by_saml + excluded.by_saml,
        by_okta_swa = by_okta_swa + excluded.by_okta_swa,
        by_vendor_sso = by_vendor_sso + excluded.by_vendor_sso,
        by_fedcm = by_fedcm + excluded.by_fedcm;
    UPDATE app_people SET accounts = accounts - 1 WHERE org = OLD.org AND app_id = OLD.app_id AND employee_id = OLD.employee_id;
    DELETE FROM app_people WHERE org = OLD.org AND app_id = OLD.app_id AND employee_id = OLD.employee_id AND accounts = 0;
    UPDATE app_figures SET accounts = accounts - 1,
        by_password = by_password - (coalesce(OLD.login_methods, 0) & 1),
        by_oidc = by_oidc - ((coalesce(OLD.login_methods, 0) >> 1) & 1),
        by_saml = by_saml - ((coalesce(OLD.login_methods, 0) >> 2) & 1),
        by_okta_swa = by_okta_swa - ((coalesce(OLD.login_methods, 0) >> 3) & 1),
        by_vendor_sso = by_vendor_sso - ((coalesce(OLD.login_methods, 0) >> 4) & 1),
        by_fedcm = by_fedcm - ((coalesce(OLD.login_methods, 0) >> 5) & 1)
      WHERE org = OLD.org AND app_id = OLD.app_id;
  END;
CREATE TRIGGER app_figures_finding_added AFTER INSERT ON findings
  BEGIN
    INSERT INTO app_figures (org, app_id, people, accounts, open_findings, by_password, by_oidc, by_saml, by_okta_swa, by_vendor_sso, by_fedcm)
      SELECT NEW.org, NEW.app_id, 0, 0, 1, 0, 0, 0, 0, 0, 0 WHERE NEW.state = 'OPEN' AND NEW.app_id IS NOT NULL
      ON CONFLICT (org, app_id) DO UPDATE SET open_findings = open_findings + 1;
  END;
CREATE TRIGGER app_figures_finding_removed AFTER DELETE ON findings
  BEGIN
    UPDATE app_figures SET open_findings = open_findings - 1
      WHERE OLD.state = 'OPEN' AND org = OLD.org AND app_id = OLD.app_id;
  END;
CREATE TRIGGER app_figures_finding_changed AFTER UPDATE OF state, app_id ON findings
  WHEN NEW.state IS NOT OLD.state OR NEW.app_id IS NOT OLD.app_id
  BEGIN
    INSERT INTO app_figures (org, app_id, people, accounts, open_findings, by_password, by_oidc, by_saml, by_okta_swa, by_vendor_sso, by_fedcm)
      SELECT NEW.org, NEW.app_id, 0, 0, 1, 0, 0, 0, 0, 0, 0 WHERE NEW.state = 'OPEN' AND NEW.app_id IS NOT NULL
      ON CONFLICT (org, app_id) DO UPDATE SET open_findings = open_findings + 1;
    UPDATE app_figures SET open_findings = open_findings - 1
      WHERE OLD.state = 'OPEN' AND org = OLD.org AND app_id = OLD.app_id;
  END;
