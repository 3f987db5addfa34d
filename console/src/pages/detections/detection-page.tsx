import type { Detection, DetectionUpdate } from '@muster/contract/records/detection'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Archive, ArchiveRestore } from 'lucide-react'
import { useRef } from 'react'
import { appTypeName, useApp } from '../../data/app-names.ts'
import { callRecord } from '../../data/call.ts'
import { messageOf } from '../../data/console-send.ts'
import { personName } from '../../data/person.ts'
import { recordKey, useRecord, useReload } from '../../data/record.ts'
import { useHasRole } from '../../data/session.ts'
import { Badge, ValueBadge } from '../../ui/badge.tsx'
import { PushButton } from '../../ui/button.tsx'
import { showToast, showUndoableToast } from '../../ui/dialog/toasts.tsx'
import { KeyHint } from '../../ui/keys/key-hint.tsx'
import { useKeys } from '../../ui/keys/use-keys.ts'
import { Card, Facts } from '../../ui/page/card.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { RecordPage } from '../../ui/page/record-page.tsx'
import { Related } from '../../ui/page/related.tsx'
import { CopyText } from '../../ui/text/copy-button.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { FullMoment, Moment } from '../../ui/text/moment.tsx'
import { PasswordPageLink, usePasswordPage } from '../../ui/text/password-page-link.tsx'
import { browserText } from '../../ui/text/user-agent.ts'
import { WorkCard } from '../work/work-card.tsx'
import { BlockHere } from './block-here.tsx'
import { changesPassword, detectionSteps, isBlockable } from './detection-advice.ts'
import { detectionStory } from './detection-story.ts'
import { IncidentCard } from './incident-card.tsx'
import { pageHost } from './page-host.ts'

/** Page of a detection: what happened, to whom, recommended steps and classification. */
export function DetectionPage() {
  const query = useRecord('getDetection')
  return (
    <RecordPage query={query} list={{ path: '/detections', title: 'Detections' }}>
      {(detection) => <DetectionRecord key={detection.id} detection={detection} />}
    </RecordPage>
  )
}

const classes: readonly (readonly [Detection['classification'], string])[] = [
  ['TRUE_POSITIVE', 't'],
  ['BENIGN_TRUE_POSITIVE', 'b'],
  ['FALSE_POSITIVE', 'f'],
]

const changeText = ({ archived, classification }: DetectionUpdate): string =>
  classification !== undefined
    ? `Classified: ${labelOf(classification).toLowerCase()}.`
    : archived
      ? 'Archived.'
      : 'Unarchived.'

/** A change with the previous values. */
interface Change {
  readonly body: DetectionUpdate
  readonly before: DetectionUpdate
}

function DetectionRecord({ detection }: { detection: Detection }) {
  const { id, archived, classification, employee, employeeId, detectionType } = detection
  const { browserId, appId, appType } = detection
  const reload = useReload()
  const mayWrite = useHasRole('FULL_ACCESS')
  const app = useApp(appId).data
  const passwordPage = usePasswordPage(changesPassword(detection) ? appId : null)
  const client = useQueryClient()
  // Changes are queued: one scope runs them one after the other.
  const scope = { id: `detection ${id}` }
  const saved = (now: Detection) => {
    client.setQueryData(recordKey('getDetection', id), now)
    void reload()
  }
  const latest = useRef<Change>(undefined)
  const update = useMutation({
    scope,
    mutationFn: ({ body }: Change) => callRecord('updateDetection', { id, body }),
    onSuccess: (now, { body, before }) => {
      showUndoableToast(changeText(body), () => takeBack.mutate(before))
      saved(now)
    },
    onError: (error) => showToast(messageOf(error), true),
    onSettled: (_now, _error, change) => {
      if (latest.current === change) latest.current = undefined
    },
  })
  const takeBack = useMutation({
    scope,
    mutationFn: (before: DetectionUpdate) => callRecord('updateDetection', { id, body: before }),
    onSuccess: saved,
    onError: (error) => showToast(messageOf(error), true),
  })
  const change = (body: DetectionUpdate, before: DetectionUpdate) => {
    // Ignore a repeated key press before the next render; toggling twice would revert the change.
    if (!mayWrite || JSON.stringify(latest.current?.body) === JSON.stringify(body)) return
    latest.current = { body, before }
    update.mutate(latest.current)
  }
  const archive = () => change({ archived: !archived }, { archived })
  const classify = (next: Detection['classification']) => change({ classification: next }, { classification })
  useKeys([
    {
      keys: 'e',
      title: 'Archive or unarchive',
      group: 'This detection',
      run: archive,
    },
    ...classes.map(([one, keys]) => ({
      keys,
      title: labelOf(one),
      group: 'This detection',
      run: () => classify(one),
    })),
  ])
  return (
    <>
      <PageHead
        title={labelOf(detectionType)}
        aside={
          <>
            <ValueBadge value={detection.severity} />
            {archived && <Badge>Archived</Badge>}
          </>
        }
      >
        {mayWrite && (
          <PushButton busy={update.isPending} onClick={archive}>
            {archived ? <ArchiveRestore /> : <Archive />}
            {archived ? 'Unarchive' : 'Archive'}
            <KeyHint keys="e" />
          </PushButton>
        )}
      </PageHead>
      <div className="columns">
        <div className="stack">
          <Card title="What happened">
            <p>{detectionStory(detection, personName(employee))}</p>
            <Facts
              facts={[
                ['Address', detection.url && <CopyText text={detection.url} what="address" mono />],
                [
                  'Referrer',
                  detection.referrerUrl && <CopyText text={detection.referrerUrl} what="referrer" mono />,
                ],
                ['Added', <FullMoment key="seen" seconds={detection.creationTimestamp} />],
                ['Last seen', <FullMoment key="last" seconds={detection.lastActivityTimestamp} />],
                ['Response', <ValueBadge key="response" value={detection.response} />],
              ]}
            />
          </Card>
          <Card title="What to do">
            <ol className="step-list">
              {detectionSteps(detection).map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <PasswordPageLink page={passwordPage} />
            {mayWrite && isBlockable(detection) && <BlockHere host={pageHost(detection.url)} />}
          </Card>
          <Card title="Classification">
            {mayWrite ? (
              <div className="row wrap">
                {classes.map(([one, key]) => (
                  <PushButton
                    key={one}
                    kind={classification === one ? 'primary' : ''}
                    aria-pressed={classification === one}
                    busy={update.isPending}
                    onClick={() => classify(classification === one ? 'NOT_CLASSIFIED' : one)}
                  >
                    {labelOf(one)}
                    <KeyHint keys={key} />
                  </PushButton>
                ))}
              </div>
            ) : (
              <p>{labelOf(classification)}</p>
            )}
          </Card>
          <Related
            title="Similar detections: this person"
            list="detections"
            search={{ except: id, employeeId, detectionType, sort: '-lastActivityTimestamp' }}
            none="None"
          >
            {(other) => <SimilarLine detection={other} />}
          </Related>
          <Related
            title="Similar detections: everyone"
            list="detections"
            search={{
              except: id,
              detectionType,
              severity: detection.severity,
              sort: '-lastActivityTimestamp',
            }}
            none="None"
          >
            {(other) => <SimilarLine detection={other} />}
          </Related>
        </div>
        <div className="stack">
          <IncidentCard detectionId={id} />
          <WorkCard list="detections" id={id} since={detection.creationTimestamp} />
          <Card title="Employee">
            <Facts
              facts={[
                [
                  'Name',
                  <Link key="person" to="/employees/$id" params={{ id: employeeId }}>
                    {personName(employee)}
                  </Link>,
                ],
                ['E-mail address', <CopyText key="email" text={employee.email} what="address" />],
                ['Department', employee.department],
                ['Location', employee.location],
              ]}
            />
          </Card>
          <Card title="Source">
            <Facts
              facts={[
                [
                  'Browser',
                  browserId ? (
                    <Link key="browser" to="/browsers/$id" params={{ id: browserId }}>
                      {browserText(detection.userAgent)}
                    </Link>
                  ) : (
                    detection.userAgent && browserText(detection.userAgent)
                  ),
                ],
                [
                  'IP address',
                  detection.sourceIpAddress && (
                    <CopyText text={detection.sourceIpAddress} what="IP address" />
                  ),
                ],
                [
                  'App',
                  appId && (
                    <Link to="/apps/$id" params={{ id: appId }}>
                      {app?.friendlyName ?? (appType === null ? 'App' : appTypeName(appType))}
                    </Link>
                  ),
                ],
              ]}
            />
          </Card>
        </div>
      </div>
    </>
  )
}

function SimilarLine({ detection }: { detection: Detection }) {
  return (
    <>
      <Link to="/detections/$id" params={{ id: detection.id }} className="grow">
        {personName(detection.employee)} <span className="soft">{pageHost(detection.url)}</span>
      </Link>
      <ValueBadge value={detection.severity} />
      <span className="soft small">
        <Moment seconds={detection.lastActivityTimestamp} />
      </span>
    </>
  )
}
