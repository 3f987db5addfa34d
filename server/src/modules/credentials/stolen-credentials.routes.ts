import { type Action, type Actions, action } from '../../kernel/actions/action.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import type { DerivedKeys } from '../../kernel/lib/secrets/secret.ts'
import { bumpPolicyRevision } from '../../kernel/organizations/policy-revision.ts'
import { deriveRow, uniqueCredentials } from './derive.ts'
import {
  deleteStolenCredentials,
  insertStolenCredentials,
  type StolenCredentialRow,
} from './stolen-credentials.service.ts'

export const stolenCredentialActions = (options: {
  makeId(): string
  keys: DerivedKeys
}): Pick<Actions, 'addStolenCredentials' | 'deleteStolenCredentials'> => {
  const add: Action<'addStolenCredentials', StolenCredentialRow[]> = {
    prepare: (_db, { org, body }) =>
      Promise.all(
        uniqueCredentials(body.credentials).map((credential) =>
          deriveRow(options.keys, org, options.makeId(), body.source ?? null, credential),
        ),
      ),
    run: async (tx, { org, body, actor, nowSeconds }, rows) => {
      const count = await insertStolenCredentials(tx, org, rows, nowSeconds)
      if (count > 0) {
        const facts = { count, source: body.source ?? null }
        await bumpPolicyRevision(tx, org, nowSeconds)
        await recordAudit(tx, org, 'STOLEN_CREDENTIALS_ADDED', { actor, timestamp: nowSeconds, new: facts })
      }
      return { count, duplicates: body.credentials.length - count }
    },
  }
  return {
    addStolenCredentials: add as Actions['addStolenCredentials'],
    deleteStolenCredentials: action(async (tx, { org, actor, nowSeconds }) => {
      const count = await deleteStolenCredentials(tx, org)
      if (count === 0) return { count }
      const facts = { count, source: null }
      await bumpPolicyRevision(tx, org, nowSeconds)
      await recordAudit(tx, org, 'STOLEN_CREDENTIALS_REMOVED', { actor, timestamp: nowSeconds, new: facts })
      return { count }
    }),
  }
}
