import { Link } from '@tanstack/react-router'
import { appTypeName } from '../../data/app-names.ts'
import { useFirstRecords } from '../../data/lists.ts'
import { Card } from '../../ui/page/card.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { FullMoment, Moment } from '../../ui/text/moment.tsx'
import { type Moment as Happening, timelineOf } from './timeline.ts'

const shownMoments = 12

const words: Readonly<Record<Happening['kind'], (subject: string) => string>> = {
  DETECTION: (subject) => `Detected: ${labelOf(subject).toLowerCase()}`,
  FINDING_OPEN: (subject) => `New finding: ${labelOf(subject).toLowerCase()}`,
  FINDING_RESOLVED: (subject) => `Resolved: ${labelOf(subject).toLowerCase()}`,
  ACCOUNT: (subject) => `New account on ${appTypeName(subject)}`,
  BROWSER: (subject) => `${labelOf(subject)} enrolled`,
}

/** Recent activity of a person. */
export function TimelineCard({ id }: { id: string }) {
  const options = { limit: shownMoments }
  const search = { employeeId: id }
  const detections = useFirstRecords('detections', search, options).data
  const findings = useFirstRecords('findings', { ...search, sort: '-lastUpdatedTimestamp' }, options).data
  const accounts = useFirstRecords('accounts', search, options).data
  const browsers = useFirstRecords('browsers', search, options).data
  if (!detections || !findings || !accounts || !browsers) return null
  const observed = {
    detections: detections.records,
    findings: findings.records,
    accounts: accounts.records,
    browsers: browsers.records,
  }
  const moments = timelineOf(observed, shownMoments)
  return (
    <Card title="Recent activity">
      {moments.length === 0 && <p className="soft">No activity</p>}
      <ol className="lines">
        {moments.map(({ key, timestamp, kind, subject, path }) => (
          <li key={key}>
            <span className="rule-text">
              <Link to={path}>{words[kind](subject)}</Link>
              <br />
              <span className="soft small">
                <FullMoment seconds={timestamp} />
              </span>
            </span>
            <span className="soft small">
              <Moment seconds={timestamp} />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
