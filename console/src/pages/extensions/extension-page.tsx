import { riskOf } from '@muster/contract/console/permission-risk'
import type { Controls } from '@muster/contract/records/controls'
import { Link, useParams } from '@tanstack/react-router'
import { type ListRecord, useCount, useFirstRecords } from '../../data/lists.ts'
import { listLink } from '../../list/list-paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { ListCrumb } from '../../ui/page/crumb.tsx'
import { NotFoundPage } from '../../ui/page/not-found-page.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Related } from '../../ui/page/related.tsx'
import { CopyText } from '../../ui/text/copy-button.tsx'
import { counted } from '../../ui/text/counted.ts'
import { ExternalLink } from '../../ui/text/external-link.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { PersonLink } from '../../ui/text/person-link.tsx'
import { useControls } from '../controls/use-controls.ts'
import { BlockExtension } from './block-extension.tsx'
import { useCounting } from './counting-note.tsx'
import { plainPermissions } from './plain-permissions.ts'
import { RiskBadge } from './risk-badge.tsx'
import { storePage } from './store-page.ts'

/** Page of an extension across all browsers: permissions and installations. */
export function ExtensionPage() {
  const { id: extensionId = '' } = useParams({ strict: false })
  const { data } = useFirstRecords('browserExtensions', { extensionId }, { limit: 1 })
  const enabled = useCount('browserExtensions', { extensionId, enabled: 'true' }).data
  const groups = useFirstRecords('extensionGroups', { search: extensionId }, { limit: 5 })
  const counting = useCounting().data
  const { data: controls, isPending } = useControls()
  const group = groups.data?.records.find((one) => one.extensionId === extensionId)
  const extension = data?.records[0]
  if (data && !extension) return <NotFoundPage title="No browser has this extension" />
  if (!extension || isPending) return null
  const { permissions, hostPermissions } = group ?? extension
  const shown = plainPermissions([...hostPermissions, ...permissions])
  const { homePageUrl } = extension
  const store = storePage(extensionId, extension.updateUrl)
  const browsers = enabled ? counted(enabled.count, 'browser', 'browsers', enabled.more) : '…'
  return (
    <Page>
      <ListCrumb path="/extensions" title="Browser extensions" />
      <PageHead
        title={extension.name || extensionId}
        aside={<RiskBadge risk={group?.risk ?? riskOf(extension)} />}
      >
        <BlockExtension extensionId={extensionId} browsers={browsers} />
      </PageHead>
      {extension.description !== '' && <p className="soft">{extension.description}</p>}
      <div className="columns">
        <div className="stack">
          <Related title="Installations" list="browserExtensions" search={{ extensionId }} none="None">
            {(one) => (
              <>
                <span className="grow">
                  <PersonLink id={one.employeeId} />
                </span>
                <Link to="/browsers/$id" params={{ id: one.browserId }} className="small">
                  Browser
                </Link>
                <span className="soft small">{one.version}</span>
                {one.enabled ? <Badge tone="good">Enabled</Badge> : <Badge>Disabled</Badge>}
              </>
            )}
          </Related>
          <Card title="What it can do">
            <ul className="lines">
              {shown.map(({ permission, text, risk }) => (
                <li key={permission}>
                  <span className="grow">
                    {text}{' '}
                    {text !== permission && <code className="soft small">{permission.slice(0, 120)}</code>}
                  </span>
                  {risk !== 'LOW' && <RiskBadge risk={risk} />}
                </li>
              ))}
              {shown.length === 0 && <li className="soft">No permissions</li>}
            </ul>
          </Card>
        </div>
        <Card title="About">
          <Facts
            facts={[
              ['ID', <CopyText key="id" text={extensionId} what="ID" mono />],
              [
                'Enabled in',
                <Link
                  key="enabled"
                  {...listLink({ list: 'browserExtensions', filters: { extensionId, enabled: 'true' } })}
                >
                  {browsers}
                </Link>,
              ],
              [
                'Installed by',
                (group?.deploymentModes ?? [extension.deploymentMode])
                  .map((mode) => labelOf(mode))
                  .join(', '),
              ],
              ['Source', group && sources[group.source]],
              ['Store page', store && <ExternalLink key="store" url={store.url} />],
              ['On lists', lists(extensionId, controls?.controls)],
              ['First seen', group && <Moment key="first" seconds={group.creationTimestamp} />],
              ['Employees', group?.people.toLocaleString('en-GB')],
              ['Versions', group ? versionsText(group) : (extension.versionName ?? extension.version)],
              [
                'Counts updated',
                group && counting?.countedTimestamp != null && (
                  <Moment key="counted" seconds={counting.countedTimestamp} />
                ),
              ],
              ['Home page', homePageUrl === null ? null : <ExternalLink key="home" url={homePageUrl} />],
              ['Update URL', extension.updateUrl],
            ]}
          />
        </Card>
      </div>
    </Page>
  )
}

const sources: Readonly<Record<ListRecord<'extensionGroups'>['source'], string>> = {
  STORE: 'Extension store',
  ELSEWHERE: 'Not from a store',
  BOTH: 'Extension store and elsewhere',
}

/** Returns the lists of the controls that an extension is on. */
function lists(extensionId: string, controls: Controls | undefined) {
  const bad = controls?.badExtensions.find((one) => one.extensionId === extensionId)
  const names = [
    ...(controls?.blockedExtensionIds.includes(extensionId) ? ['Blocked'] : []),
    ...(bad ? [`Malicious, ${labelOf(bad.risk).toLowerCase()} risk`] : []),
  ]
  return names.length === 0 ? null : <Link to="/controls/extensions">{names.join('; ')}</Link>
}

const namedVersions = 6

/** Returns the most common versions with their browser counts. */
function versionsText({ versions, versionCount }: ListRecord<'extensionGroups'>): string {
  const named = versions.slice(0, namedVersions)
  const texts = named.map(({ version, browsers }) => `${version} (${browsers.toLocaleString('en-GB')})`)
  const more = versionCount - named.length
  return [...texts, ...(more > 0 ? [`${more.toLocaleString('en-GB')} more`] : [])].join(', ')
}
