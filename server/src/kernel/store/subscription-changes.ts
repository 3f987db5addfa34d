const change = /^(INSERT INTO|UPDATE|DELETE FROM|REPLACE INTO|DROP TABLE) webhook_wishes\b/

/** Returns true if a statement changes the subscriptions of webhooks or streams. */
export const isSubscriptionChange = (sql: string): boolean => change.test(sql)
