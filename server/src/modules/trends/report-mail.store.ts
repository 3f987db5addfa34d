import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** Administrator of an organization. */
export interface Subscriber {
  readonly org: number
  readonly administratorId: string
}

export const isSubscribed = async (db: Reader, { org, administratorId }: Subscriber): Promise<boolean> =>
  (await db.get('SELECT 1 AS one FROM report_subscriptions WHERE org = ? AND administrator_id = ?', [
    org,
    administratorId,
  ])) !== undefined

/** Subscribes or unsubscribes. */
export async function setSubscribed(
  tx: Tx,
  { org, administratorId }: Subscriber,
  subscribed: boolean,
): Promise<void> {
  if (subscribed)
    await tx.insert(
      'report_subscriptions',
      ['org', 'administrator_id'],
      [[org, administratorId]],
      'ON CONFLICT (org, administrator_id) DO NOTHING',
    )
  else
    await tx.run('DELETE FROM report_subscriptions WHERE org = ? AND administrator_id = ?', [
      org,
      administratorId,
    ])
}

/** Lists the addresses of the subscribers who have no message yet about a month. */
export async function subscribersWithoutMail(db: Reader, org: number, month: string): Promise<string[]> {
  const rows = await db.all<{ email: string }>(
    `SELECT a.email FROM report_subscriptions s JOIN administrators a ON a.org = s.org AND a.id = s.administrator_id
     WHERE s.org = ? AND NOT EXISTS (SELECT 1 FROM notices n
       WHERE n.org = s.org AND n.kind = 'MONTHLY_REPORT' AND n.subject = ? AND n.address_key = a.email_key) ORDER BY a.email_key`,
    [org, month],
  )
  return rows.map(({ email }) => email)
}
