-- Figures of apps, for the list of apps in the console: docs/adr/0051-app-figures-are-kept-by-triggers.md.
-- Triggers keep them, so every way of changing accounts and findings does, also that of the previous version.

-- Accounts of each employee in each app.
CREATE TABLE app_people (
  org bigint NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  accounts bigint NOT NULL,
  PRIMARY KEY (org, app_id, employee_id)
);

CREATE TABLE app_figures (
  org bigint NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  -- People, accounts and open findings, then accounts by sign-in method.
  people bigint NOT NULL DEFAULT 0,
  accounts bigint NOT NULL DEFAULT 0,
  open_findings bigint NOT NULL DEFAULT 0,
  by_password bigint NOT NULL DEFAULT 0,
  by_oidc bigint NOT NULL DEFAULT 0,
  by_saml bigint NOT NULL DEFAULT 0,
  by_okta_swa bigint NOT NULL DEFAULT 0,
  by_vendor_sso bigint NOT NULL DEFAULT 0,
  by_fedcm bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (org, app_id)
);

-- Changes of figures that the running transaction applies at its commit, in the order of the key. Two transactions
-- with the same apps then neither wait for each other for long nor deadlock.
CREATE TABLE app_figure_changes (
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  number bigint GENERATED ALWAYS AS IDENTITY,
  LIKE app_figures INCLUDING DEFAULTS,
  PRIMARY KEY (transaction, number)
);

-- The figures are complete only if nobody writes until the triggers exist.
LOCK TABLE accounts, findings IN SHARE ROW EXCLUSIVE MODE;

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

-- The trigger of the first change applies all. The others find theirs removed by its key: if each looked for all changes
-- of the transaction, it would read all that are removed. The table is nearly empty for the planner, which would scan it.
CREATE FUNCTION apply_app_figure_changes() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM app_figure_changes WHERE transaction = NEW.transaction AND number = NEW.number) THEN
      RETURN NULL;
    END IF;
    WITH changes AS (DELETE FROM app_figure_changes WHERE transaction = pg_current_xact_id() RETURNING *)
    INSERT INTO app_figures (org, app_id, people, accounts, open_findings, by_password, by_oidc, by_saml, by_okta_swa, by_vendor_sso, by_fedcm)
      SELECT org, app_id, sum(people), sum(accounts), sum(open_findings), sum(by_password), sum(by_oidc), sum(by_saml), sum(by_okta_swa), sum(by_vendor_sso), sum(by_fedcm)
      FROM changes GROUP BY org, app_id ORDER BY org, app_id
      ON CONFLICT (org, app_id) DO UPDATE SET
        people = app_figures.people + excluded.people,
        accounts = app_figures.accounts + excluded.accounts,
        open_findings = app_figures.open_findings + excluded.open_findings,
        by_password = app_figures.by_password + excluded.by_password,
        by_oidc = app_figures.by_oidc + excluded.by_oidc,
        by_saml = app_figures.by_saml + excluded.by_saml,
        by_okta_swa = app_figures.by_okta_swa + excluded.by_okta_swa,
        by_vendor_sso = app_figures.by_vendor_sso + excluded.by_vendor_sso,
        by_fedcm = app_figures.by_fedcm + excluded.by_fedcm;
    RETURN NULL;
  END
  $$;
CREATE CONSTRAINT TRIGGER app_figure_changes_applied AFTER INSERT ON app_figure_changes
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION apply_app_figure_changes();

CREATE FUNCTION count_added_people() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO app_figure_changes (org, app_id, people) SELECT org, app_id, count(*) FROM added GROUP BY org, app_id;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER app_people_added AFTER INSERT ON app_people REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_added_people();

CREATE FUNCTION count_removed_person() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO app_figure_changes (org, app_id, people) VALUES (OLD.org, OLD.app_id, -1);
    RETURN NULL;
  END
  $$;
CREATE TRIGGER app_people_removed AFTER DELETE ON app_people
  FOR EACH ROW EXECUTE FUNCTION count_removed_person();

CREATE FUNCTION count_added_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO app_people (org, app_id, employee_id, accounts)
      SELECT org, app_id, employee_id, count(*) FROM added GROUP BY org, app_id, employee_id ORDER BY org, app_id, employee_id
      ON CONFLICT (org, app_id, employee_id) DO UPDATE SET accounts = app_people.accounts + excluded.accounts;
    INSERT INTO app_figure_changes (org, app_id, accounts, by_password, by_oidc, by_saml, by_okta_swa, by_vendor_sso, by_fedcm)
      SELECT a.org, a.app_id, count(*),
        sum(coalesce(a.login_methods, 0) & 1),
        sum((coalesce(a.login_methods, 0) >> 1) & 1),
        sum((coalesce(a.login_methods, 0) >> 2) & 1),
        sum((coalesce(a.login_methods, 0) >> 3) & 1),
        sum((coalesce(a.login_methods, 0) >> 4) & 1),
        sum((coalesce(a.login_methods, 0) >> 5) & 1)
      FROM added AS a GROUP BY a.org, a.app_id;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER app_figures_accounts_added AFTER INSERT ON accounts REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_added_accounts();

CREATE FUNCTION count_changed_account() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      INSERT INTO app_people (org, app_id, employee_id, accounts) VALUES (NEW.org, NEW.app_id, NEW.employee_id, 1)
        ON CONFLICT (org, app_id, employee_id) DO UPDATE SET accounts = app_people.accounts + 1;
      INSERT INTO app_figure_changes (org, app_id, accounts, by_password, by_oidc, by_saml, by_okta_swa, by_vendor_sso, by_fedcm) VALUES (
        NEW.org, NEW.app_id, 1,
      (coalesce(NEW.login_methods, 0) & 1),
      ((coalesce(NEW.login_methods, 0) >> 1) & 1),
      ((coalesce(NEW.login_methods, 0) >> 2) & 1),
      ((coalesce(NEW.login_methods, 0) >> 3) & 1),
      ((coalesce(NEW.login_methods, 0) >> 4) & 1),
      ((coalesce(NEW.login_methods, 0) >> 5) & 1));
    END IF;
    UPDATE app_people SET accounts = accounts - 1
      WHERE org = OLD.org AND app_id = OLD.app_id AND employee_id = OLD.employee_id;
    DELETE FROM app_people
      WHERE org = OLD.org AND app_id = OLD.app_id AND employee_id = OLD.employee_id AND accounts = 0;
    INSERT INTO app_figure_changes (org, app_id, accounts, by_password, by_oidc, by_saml, by_okta_swa, by_vendor_sso, by_fedcm) VALUES (
      OLD.org, OLD.app_id, -1,
      -(coalesce(OLD.login_methods, 0) & 1),
      -((coalesce(OLD.login_methods, 0) >> 1) & 1),
      -((coalesce(OLD.login_methods, 0) >> 2) & 1),
      -((coalesce(OLD.login_methods, 0) >> 3) & 1),
      -((coalesce(OLD.login_methods, 0) >> 4) & 1),
      -((coalesce(OLD.login_methods, 0) >> 5) & 1));
    RETURN NULL;
  END
  $$;
CREATE TRIGGER app_figures_account_removed AFTER DELETE ON accounts
  FOR EACH ROW EXECUTE FUNCTION count_changed_account();
CREATE TRIGGER app_figures_account_changed AFTER UPDATE OF app_id, employee_id, login_methods ON accounts
  FOR EACH ROW WHEN ((NEW.app_id, NEW.employee_id, NEW.login_methods) IS DISTINCT FROM (OLD.app_id, OLD.employee_id, OLD.login_methods))
  EXECUTE FUNCTION count_changed_account();

CREATE FUNCTION count_added_findings() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO app_figure_changes (org, app_id, open_findings)
      SELECT org, app_id, count(*) FROM added WHERE state = 'OPEN' AND app_id IS NOT NULL GROUP BY org, app_id;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER app_figures_findings_added AFTER INSERT ON findings REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_added_findings();

CREATE FUNCTION count_changed_finding() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      INSERT INTO app_figure_changes (org, app_id, open_findings)
        SELECT NEW.org, NEW.app_id, 1 WHERE NEW.state = 'OPEN' AND NEW.app_id IS NOT NULL;
    END IF;
    INSERT INTO app_figure_changes (org, app_id, open_findings)
      SELECT OLD.org, OLD.app_id, -1 WHERE OLD.state = 'OPEN' AND OLD.app_id IS NOT NULL;
    RETURN NULL;
  END
  $$;
CREATE TRIGGER app_figures_finding_removed AFTER DELETE ON findings
  FOR EACH ROW EXECUTE FUNCTION count_changed_finding();
CREATE TRIGGER app_figures_finding_changed AFTER UPDATE OF state, app_id ON findings
  FOR EACH ROW WHEN ((NEW.state, NEW.app_id) IS DISTINCT FROM (OLD.state, OLD.app_id))
  EXECUTE FUNCTION count_changed_finding();
