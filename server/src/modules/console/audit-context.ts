import type { Actor } from '@muster/contract/events/event-actor'
import { uiActor } from '../../kernel/http/actor.ts'
import type { ConsoleCall } from './console-bind.ts'

/** Returns the actor and time for audit events about an action of the signed-in administrator. */
export const auditContext = ({
  caller,
  origin,
}: Pick<ConsoleCall, 'caller' | 'origin'>): { actor: Actor; timestamp: number } => ({
  actor: uiActor(caller.administrator, origin),
  timestamp: origin.nowSeconds,
})
