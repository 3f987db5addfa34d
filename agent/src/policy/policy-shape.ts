import type { AgentPolicy, PolicyProtection } from '@muster/contract/agent/agent-policy'
import { readProducts } from './policy-products.ts'

/** Defaults for members that the server did not send because its version differs from the agent's. */
const fallback: Omit<AgentPolicy, 'version'> = {
  heartbeatSeconds: 300,
  organizationName: '',
  contact: null,
  blockedUrls: [],
  protectedPasswords: { mode: 'OFF', byApp: {} },
  protectedAppTypes: [],
  clonedLoginPages: { mode: 'OFF', byApp: {} },
  phishingTools: { mode: 'OFF', byApp: {} },
  maliciousCopyPaste: { mode: 'OFF', byApp: {} },
  banners: [],
  blockedExtensionIds: [],
  badExtensions: [],
  restrictedWords: [],
  leakedLookup: false,
  stolenCredentials: [],
  workIdentities: [],
  products: [],
}

/** Limits of the heartbeat interval in seconds, regardless of the server's value. */
const heartbeatBounds = { least: 5, most: 24 * 60 * 60 }

/**
 * Parses the server's response as a policy. A missing member, or one of another type, gets its harmless default, so
 * agent and server may have different versions.
 *
 * @returns null if it is not a policy
 */
export function readPolicy(body: unknown): AgentPolicy | null {
  if (typeof body !== 'object' || body === null) return null
  const given = body as Record<string, unknown>
  if (typeof given.version !== 'string' || given.version === '') return null
  const known = Object.entries(fallback).map(([name, value]) => [
    name,
    isLike(given[name], value, name) ? given[name] : value,
  ])
  const policy = { ...Object.fromEntries(known), version: given.version } as AgentPolicy
  const { least, most } = heartbeatBounds
  const products = readProducts(policy.products)
  return { ...policy, products, heartbeatSeconds: Math.min(most, Math.max(least, policy.heartbeatSeconds)) }
}

function isLike(given: unknown, value: unknown, name: string): boolean {
  if (Array.isArray(value)) return Array.isArray(given)
  if (name === 'contact') return given === null || typeof given === 'string'
  if (typeof value === 'object') return isProtection(given)
  return typeof given === typeof value && !Number.isNaN(given)
}

function isProtection(given: unknown): given is PolicyProtection {
  const { mode, byApp } = (given ?? {}) as Partial<PolicyProtection>
  return typeof mode === 'string' && typeof byApp === 'object' && byApp !== null
}
