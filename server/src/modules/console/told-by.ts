import type { Actor } from '@muster/contract/event-actor'
import { uiActor } from '../../kernel/http/actor.ts'
import type { ConsoleCall } from './console-bind.ts'

/** What the audit trail is told of an act of who is signed in: who does it, and when. */
export const toldBy = ({
  caller,
  origin,
}: Pick<ConsoleCall, 'caller' | 'origin'>): { actor: Actor; timestamp: number } => ({
  actor: uiActor(caller.administrator, origin),
  timestamp: origin.nowSeconds,
})
