import type { DerivedKeys } from '../../lib/secret.ts'
import { bumpPolicyRevision } from '../../storage/policy-revision.ts'
import {
  deleteStolenCredentials,
  insertStolenCredentials,
  type StolenCredentialRow,
} from '../../storage/stolen-credentials.ts'
import { type Action, type Actions, action } from '../action.ts'
import { deriveRow, uniqueCredentials } from './derive.ts'

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
    run: async (tx, { org, body, nowSeconds }, rows) => {
      const count = await insertStolenCredentials(tx, org, rows, nowSeconds)
      if (count > 0) await bumpPolicyRevision(tx, org, nowSeconds)
      return { count, duplicates: body.credentials.length - count }
    },
  }
  return {
    addStolenCredentials: add as Actions['addStolenCredentials'],
    deleteStolenCredentials: action(async (tx, { org, nowSeconds }) => {
      const count = await deleteStolenCredentials(tx, org)
      if (count > 0) await bumpPolicyRevision(tx, org, nowSeconds)
      return { count }
    }),
  }
}
