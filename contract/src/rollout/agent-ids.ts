/** IDs of the agent in browsers. A listing in an extension store has an ID of its own. */
export const agentIds = {
  chromiumId: 'ibldkgglafofgpgdbkgkanfdkbdgpakh',
  firefoxId: 'agent@muster.invalid',
} as const
