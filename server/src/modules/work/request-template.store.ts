import type { RequestTemplate } from '@muster/contract/console/work/request-template'
import type { Reader, Tx } from '../../kernel/store/sql.ts'

/** Reads the template of an organization; undefined if it has not changed it. */
export const readRequestTemplate = (db: Reader, org: number): Promise<RequestTemplate | undefined> =>
  db.get<RequestTemplate>('SELECT subject, text FROM request_templates WHERE org = ?', [org])

/** Stores the template of an organization; null resets it. */
export async function writeRequestTemplate(
  tx: Tx,
  org: number,
  template: RequestTemplate | null,
): Promise<void> {
  await tx.run('DELETE FROM request_templates WHERE org = ?', [org])
  if (template)
    await tx.insert('request_templates', ['org', 'subject', 'text'], [[org, template.subject, template.text]])
}
