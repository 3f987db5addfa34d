import type { AlertDestination } from '@muster/contract/console/alerts/alert-kinds'
import { TextField } from '../../ui/form/field.tsx'
import { bound } from '../../ui/form/form.tsx'

/** Texts of the fields of a destination. */
interface TargetTexts {
  readonly urlHint: string
  readonly urlPlaceholder: string
  /** True if there is a usual URL. */
  readonly urlOptional?: true
  readonly keyLabel?: string
  readonly keyHint?: string
  readonly keyRequired?: true
}

const texts: Readonly<Record<Exclude<AlertDestination, 'EMAIL'>, TargetTexts>> = {
  SLACK: {
    urlHint: 'Incoming webhook of a channel, from the settings of your Slack app.',
    urlPlaceholder: 'https://hooks.slack.com/services/…',
  },
  TEAMS: {
    urlHint: 'URL of a workflow “Post to a channel when a webhook request is received”.',
    urlPlaceholder: 'https://….logic.azure.com/workflows/…',
  },
  PAGERDUTY: {
    urlHint: 'Only for other service regions, for example https://events.eu.pagerduty.com/v2/enqueue.',
    urlPlaceholder: 'https://events.pagerduty.com/v2/enqueue',
    urlOptional: true,
    keyLabel: 'Integration key',
    keyHint: 'Key of an “Events API V2” integration of a service.',
    keyRequired: true,
  },
  WEBHOOK: {
    urlHint: 'Each message is sent to it as a JSON POST request over HTTPS.',
    urlPlaceholder: 'https://soar.example.com/alerts',
    keyLabel: 'Signing secret',
    keyHint: 'At least 16 characters (optional). Messages are signed with it like events of webhooks.',
  },
}

/** Fields for URL and key of a destination. Stored ones are not shown. */
export function TargetFields({
  destination,
  kept,
  url,
  onUrl,
  secret,
  onSecret,
}: {
  destination: Exclude<AlertDestination, 'EMAIL'>
  /** Origin of the stored URL; null if there is none. */
  kept: string | null
  url: string
  onUrl: (url: string) => void
  secret: string
  onSecret: (secret: string) => void
}) {
  const own = texts[destination]
  const isKept = kept !== null
  return (
    <>
      <TextField
        label={own.urlOptional ? 'URL (optional)' : 'URL'}
        name="target.url"
        type="url"
        hint={
          isKept
            ? `Stored for ${kept}. Leave empty to keep it. A new URL needs the key again, and a new key the URL.`
            : `${own.urlHint} Stored encrypted and not shown again.`
        }
        placeholder={own.urlPlaceholder}
        required={!isKept && !own.urlOptional}
        maxLength={2048}
        autoComplete="off"
        {...bound(url, onUrl)}
      />
      {own.keyLabel !== undefined && (
        <TextField
          label={own.keyLabel}
          name="target.key"
          type="password"
          hint={own.keyHint}
          required={!isKept && own.keyRequired === true}
          maxLength={256}
          autoComplete="off"
          {...bound(secret, onSecret)}
        />
      )}
    </>
  )
}
