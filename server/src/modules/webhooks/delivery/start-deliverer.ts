import { type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import type { Registry } from 'prom-client'
import type { Config } from '../../../kernel/config/config.ts'
import type { Store } from '../../../kernel/events/unit-of-work.ts'
import type { BackgroundJob } from '../../../kernel/jobs/background-jobs.ts'
import { ConfigError } from '../../../kernel/lib/config-error.ts'
import { queueWebhookDisabledNotices } from '../../notices/queue-notices.ts'
import { type DelivererOptions, startDeliverer } from './deliverer.ts'
import { webhookMetrics } from './webhook-metrics.ts'
import { type SenderOptions, webhookSender } from './webhook-sender.ts'

/** Reads target policy and trusted certificates from the settings. @throws ConfigError when the file cannot be read */
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
    // Throws if the file is not a certificate.
    void new X509Certificate(text)
    return text
  } catch (error) {
    const { message } = error as Error
    const expected = 'must be a file of PEM certificates'
    throw new ConfigError([`MUSTER_WEBHOOKS_CA ${expected}; ${path} cannot be read: ${message}`], {
      cause: error,
    })
  }
}

/** Starts to deliver the events of a store. */
export function deliverEvents(
  options: Pick<DelivererOptions, 'clock' | 'log'> & {
    readonly db: Store
    readonly key: KeyObject
    readonly sender: SenderOptions
    /** Undefined when metrics are disabled. */
    readonly registry: Registry | undefined
  },
): BackgroundJob {
  const { db, clock, registry, sender } = options
  return startDeliverer({
    ...options,
    sender: webhookSender(sender),
    onDisabled: queueWebhookDisabledNotices,
    onSignal: db.onEvents,
    ...(registry ? { onAttempt: webhookMetrics(registry, db, clock) } : {}),
  })
}
