import type { JsonSchema } from '@muster/contract/api/json-schema'
import type { Overview } from '@muster/contract/console/console-overview'
import type { ClientFacts } from '../../kernel/http/actor.ts'
import type { Services } from '../../kernel/http/bind.ts'
import type { Principal } from '../../kernel/http/principal.ts'
import type { Clock } from '../../kernel/lib/clock.ts'
import type { Db } from '../../kernel/store/sql.ts'

/** Caller of tools: the holder of an API key, or the operator on the command line. */
export interface ToolCaller {
  readonly principal: Principal
  readonly origin: ClientFacts
}

/** Parts of the server that tools use. */
export interface ToolWorld {
  readonly db: Db
  readonly clock: Clock
  readonly services: Services
  /** Returns the figures of an organization, computed at most once a minute. */
  overviewOf(org: number): Promise<Overview>
  /** True if the operator allows tools that change data. */
  readonly allowsWrites: boolean
  /** Way in which the operator allows tools that change data, for errors. */
  readonly writesHint: string
  /** Takes a call from the rate limit. Absent where the transport does. @throws ApiError rate_limited */
  admit?(caller: ToolCaller): Promise<void>
  /** Called for errors that are not the caller's fault. */
  onFailure(error: unknown): void
}

/** Arguments as the assistant sent them. */
export type ToolArguments = Readonly<Record<string, unknown>>

/** A tool that assistants can call. */
export interface Tool {
  readonly name: string
  readonly title: string
  /** Plain words for the assistant: purpose, and meaning of the answer. */
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  /** Kind of change; undefined if it only reads. */
  readonly change?: 'adds' | 'replaces'
  /**
   * Returns the answer as data.
   *
   * @throws ApiError that says what would be right
   */
  run(world: ToolWorld, caller: ToolCaller, given: ToolArguments): Promise<unknown>
}
