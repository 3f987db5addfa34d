import { type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import type { Registry } from 'prom-client'
import type { Config } from '../../../kernel/config/config.ts'
import type { Store } from '../../../kernel/events/outbox.ts'
import { ConfigError } from '../../../kernel/lib/config-error.ts'
import { noteWebhookSwitchedOff } from '../../notices/queue-notices.ts'
import { type DelivererOptions, startDeliverer } from './deliverer.ts'
import { webhookMetrics } from './webhook-metrics.ts'
import { type SenderOptions, webhookSender } from './webhook-sender.ts'

/** Where webhooks may go, and whom they trust, by the settings. @throws ConfigError when the file cannot be read */
export function senderOptions({
  webhooksAllowPrivate: allowPrivate,
  webhooksCa,
}: Pick<Config, 'webhooksAllowPrivate' | 'webhooksCa'>): SenderOptions {
  if (webhooksCa === undefined) return { allowPrivate }
  return { allowPrivate, ca: [...getCACertificates('default'), certificatesOf(webhooksCa)] }
}

function certificatesOf(path: string): string {
  try {
    const text = readFileSync(path, 'utf8')
    // It throws for what is none.
    void new X509Certificate(text)
    return text
  } catch (error) {
    const { message } = error as Error
    const right = 'must be a file of certificates in PEM'
    throw new ConfigError([`MUSTER_WEBHOOKS_CA ${right}, and ${path} is not: ${message}`], { cause: error })
  }
}

/** Delivers the events of a store as long as the server runs. @returns what ends that */
export function deliverEvents(
  options: Pick<DelivererOptions, 'clock' | 'log'> & {
    readonly db: Store
    readonly key: KeyObject
    readonly sender: SenderOptions
    /** Where figures are kept; there are none without it. */
    readonly registry: Registry | undefined
  },
): () => Promise<void> {
  const { db, clock, registry, sender, ...rest } = options
  const deliverer = startDeliverer({
    ...{ ...rest, db, clock, sender: webhookSender(sender) },
    onSwitchedOff: noteWebhookSwitchedOff,
    ...(registry ? { onAttempt: webhookMetrics(registry, db, clock) } : {}),
  })
  const deaf = db.onEvents(deliverer.wake)
  return () => {
    deaf()
    return deliverer.stop()
  }
}
