import { defaultRequestTemplate, type RequestTemplate } from '@muster/contract/console/work/request-template'
import { auditedChanges } from '../../kernel/actions/audit-changes.rules.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { WorkBy } from './change-work.ts'
import { readRequestTemplate, writeRequestTemplate } from './request-template.store.ts'

/** Returns the template of an organization, or the default. */
export async function requestTemplateOf(
  db: Db,
  org: number,
): Promise<RequestTemplate & { readonly isDefault: boolean }> {
  const own = await readRequestTemplate(db, org)
  const { subject, text } = own ?? defaultRequestTemplate
  return { subject, text, isDefault: own === undefined }
}

/** Changes the template of the e-mail that asks employees, or resets it to the default with null. */
export async function changeRequestTemplate(
  db: Db,
  { administrator: { org }, audit }: WorkBy,
  template: RequestTemplate | null,
): Promise<void> {
  await db.inTransaction(async (tx) => {
    await tx.lock(`request template ${org}`)
    const before = await readRequestTemplate(tx, org)
    const changes = auditedChanges(auditedTemplate(before), auditedTemplate(template))
    if (changes.length === 0) return
    await writeRequestTemplate(tx, org, template)
    await recordAudit(tx, org, 'SETTING_UPDATED', {
      ...audit,
      new: { setting: 'findings', changes },
      what: template
        ? 'The text of the e-mail that asks employees was changed'
        : 'The text of the e-mail that asks employees was reset to the default',
    })
  })
}

/** Members of a template in audit events; null without a template of the organization. */
const auditedTemplate = (template: RequestTemplate | null | undefined) => ({
  requestSubject: template?.subject ?? null,
  requestText: template?.text ?? null,
})
