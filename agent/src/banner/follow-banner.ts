import { ask, onNotice } from '../messages.ts'
import { showBanner } from './show-banner.ts'

/** The scripts of an extension share one world in a page, which the page cannot reach. */
const place = Symbol.for('muster.banner')

/** Shows the banner of a page's app, and follows the policy while the page is open. Only the first call does. */
export function followBanner(): void {
  const world = globalThis as { [place]?: true }
  if (world[place]) return
  world[place] = true
  let shown = ''
  let takeAway: (() => void) | null = null
  const look = async () => {
    const wanted = await ask('getBanner', {})
    // No answer says nothing: what is shown stays.
    if (wanted === undefined) return
    const key = JSON.stringify(wanted)
    if (key === shown) return
    shown = key
    takeAway?.()
    takeAway = wanted && showBanner(wanted)
  }
  onNotice(() => void look())
  void look()
}
