/** Who makes an agent's request, and from where. */
export type { AgentPrincipal, Connection } from './agent-caller.ts'
