import type { Catalog } from '@muster/contract/catalog/catalog'
import type { Controls } from '@muster/contract/controls'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import { policyRevision } from '../../kernel/organizations/policy-revision.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { orgCatalog } from '../catalog/org-catalog.ts'

/** What an organization has decided that the ingest follows. */
export interface OrgTerms {
  /** The number of the policy, which rises with every change of these. */
  readonly revision: number
  readonly controls: Controls
  readonly catalog: Catalog
}

/** Organizations whose terms are kept in memory. */
const keptMaximum = 1000

/** Reads terms: one number each time, the rest when that has changed. */
export type TermsReader = (reader: Reader, org: number) => Promise<OrgTerms>

/** Makes a reader of terms with a memory of its own. */
export function termsReader(): TermsReader {
  const kept = new Map<number, OrgTerms>()
  return async (reader, org) => {
    const revision = await policyRevision(reader, org)
    const known = kept.get(org)
    if (known?.revision === revision) return known
    const catalog = await orgCatalog(reader, org)
    const terms = { revision, controls: await readControls(reader, org), catalog }
    if (kept.size >= keptMaximum) kept.clear()
    kept.set(org, terms)
    return terms
  }
}
