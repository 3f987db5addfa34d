import type { Catalog } from '@muster/contract/catalog/catalog'
import type { Controls } from '@muster/contract/records/controls'
import { readControls } from '../../kernel/organizations/organization-controls.ts'
import { policyRevision } from '../../kernel/organizations/policy-revision.ts'
import type { Reader } from '../../kernel/store/sql.ts'
import { orgCatalog } from '../catalog/org-catalog.ts'

/** Settings of an organization that the ingest uses. */
export interface OrgSettings {
  /** Revision of the policy; rises with every change of the settings. */
  readonly revision: number
  readonly controls: Controls
  readonly catalog: Catalog
}

/** Maximum number of organizations in the cache. */
const cacheMaximum = 1000

/** Reads the settings of an organization: the revision each time, the rest only if it changed. */
export type OrgSettingsReader = (reader: Reader, org: number) => Promise<OrgSettings>

/** Creates a reader with its own cache. */
export function orgSettingsReader(): OrgSettingsReader {
  const cache = new Map<number, OrgSettings>()
  return async (reader, org) => {
    const revision = await policyRevision(reader, org)
    const known = cache.get(org)
    if (known?.revision === revision) return known
    const catalog = await orgCatalog(reader, org)
    const settings = { revision, controls: await readControls(reader, org), catalog }
    if (cache.size >= cacheMaximum) cache.clear()
    cache.set(org, settings)
    return settings
  }
}
