import type { Config } from '../../kernel/config/config.ts'
import { listenPlan } from '../../kernel/http/listen-plan.ts'
import { senderOptions } from '../webhooks/delivery/webhook-sender.ts'

/** Refuses settings that are valid one by one but that a server could not start with. @throws ConfigError */
export function requireServable(config: Config): void {
  listenPlan(config)
  senderOptions(config)
}
