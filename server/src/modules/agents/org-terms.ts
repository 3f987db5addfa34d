import type { Catalogue } from '@muster/contract/catalogue/catalogue'
import type { Controls } from '@muster/contract/controls'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import { policyRevision } from '../../kernel/organizations/policy-revision.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { orgCatalogue } from '../catalog/org-catalog.ts'

/** What an organisation has decided that the ingest follows. */
export interface OrgTerms {
  /** The number of the policy, which rises with every change of these. */
  readonly revision: number
  readonly controls: Controls
  readonly catalogue: Catalogue
}

/** Organisations whose terms are kept in memory. */
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
    const catalogue = await orgCatalogue(reader, org)
    const terms = { revision, controls: await readControls(reader, org), catalogue }
    if (kept.size >= keptMaximum) kept.clear()
    kept.set(org, terms)
    return terms
  }
}
