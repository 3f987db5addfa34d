import type { AgentPolicy, PolicyProtection } from '@muster/contract/agent-policy'
import { readProducts } from './policy-products.ts'

/** What is held of a policy that a server left out: an older or newer one than the agent. */
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

/** Bounds of the time between heartbeats, in seconds, whatever the server says. */
const heartbeatBounds = { least: 5, most: 24 * 60 * 60 }

/**
 * Reads the server's answer as a policy. A member that is missing or of another type takes its harmless value, so
 * that agent and server need not be of one version.
 *
 * @returns null if it is no policy at all
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
