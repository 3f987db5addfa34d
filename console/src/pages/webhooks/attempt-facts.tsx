import type { WebhookAttempt } from '@muster/contract/console/console-webhooks'
import { Badge } from '../../ui/badge.tsx'
import { FullMoment } from '../../ui/text/moment.tsx'

/** A delivery attempt and its response. */
export function AttemptFacts({ attempt }: { attempt: WebhookAttempt }) {
  const { status, latencyMs, answer, error } = attempt
  return (
    <div className="stack tight">
      <p className="row wrap">
        <span className="soft small">Attempt {attempt.attempt}</span>
        <Badge tone={error === null ? 'good' : 'critical'}>{status ?? 'No response'}</Badge>
        <span className="small">{latencyMs.toLocaleString('en-GB')} ms</span>
        <span className="grow" />
        <span className="soft small">
          <FullMoment seconds={attempt.timestamp} />
        </span>
      </p>
      {error !== null && <p className="field-error">{error}</p>}
      {answer !== '' && <pre className="sample">{answer}</pre>}
    </div>
  )
}
