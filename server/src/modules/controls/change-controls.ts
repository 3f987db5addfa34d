import { invalidRequest } from '@muster/contract/api/errors'
import { products } from '@muster/contract/catalog/products'
import { Controls, defaultControls } from '@muster/contract/records/controls'
import { auditedChanges } from '../../kernel/actions/audit-changes.rules.ts'
import { type AuditFacts, recordAudit } from '../../kernel/events/audit-trail.ts'
import { bodyReader } from '../../kernel/http/body.ts'
import { readControls, writeControls } from '../../kernel/organizations/organization-controls.ts'
import type { Tx } from '../../kernel/store/sql.ts'
import { listCatalogProducts } from '../catalog/catalog-products.service.ts'
import { updateBlockedFlags } from '../extensions/extension-groups.ts'
import { controlsMistakes, mergeDocuments, pick } from './controls.rules.ts'

const readDocument = bodyReader(Controls)

/**
 * Applies a change to the controls of an organization; members that are not named stay. Updates the policy if
 * anything changed.
 *
 * @param change part of the document, as JSON
 * @returns the whole document
 * @throws ApiError invalid_request with all mistakes
 */
export async function changeControls(
  tx: Tx,
  org: number,
  change: unknown,
  nowSeconds: number,
): Promise<Controls> {
  if (typeof change !== 'object' || change === null || Array.isArray(change))
    throw invalidRequest([{ in: 'body', name: 'controls', message: 'must be a JSON object' }])
  await tx.lock(`controls ${org}`)
  const before = await readControls(tx, org)
  // Only changed members are checked: others may hold texts from before a rule was introduced.
  const after = { ...defaultControls, ...pick(mergeDocuments(before, change), Object.keys(change)) }
  const checked = readDocument(Buffer.from(JSON.stringify(after))) as Controls
  const controls = { ...before, ...pick(checked, Object.keys(change)) }
  const own = await listCatalogProducts(tx, org)
  const appTypes = new Set([...products, ...own].map(({ appType }) => appType))
  const mistakes = controlsMistakes(controls, appTypes)
  if (mistakes.length > 0) throw invalidRequest(mistakes)
  if (JSON.stringify(controls) !== JSON.stringify(before)) {
    await updateBlockedFlags(tx, org, before.blockedExtensionIds, controls.blockedExtensionIds)
    await writeControls(tx, org, controls, nowSeconds)
  }
  return controls
}

/** Changes the controls like {@link changeControls} and records the change in the audit trail. */
export async function changeControlsBy(
  tx: Tx,
  org: number,
  change: unknown,
  by: Pick<AuditFacts<'SETTING_UPDATED'>, 'actor' | 'timestamp'>,
): Promise<Controls> {
  await tx.lock(`controls ${org}`)
  const before = await readControls(tx, org)
  const controls = await changeControls(tx, org, change, by.timestamp)
  const changes = auditedChanges(before, controls)
  if (changes.length > 0)
    await recordAudit(tx, org, 'SETTING_UPDATED', { ...by, new: { setting: 'controls', changes } })
  return controls
}
