import { ask, onNotice } from '../messages.ts'
import { showBanner } from './show-banner.ts'

/** Key in the isolated world that the scripts of an extension share and pages cannot reach. */
const place = Symbol.for('muster.banner')

/** Shows the banner of a page's app and updates it while the page is open. Only the first call has an effect. */
export function followBanner(): void {
  const world = globalThis as { [place]?: true }
  if (world[place]) return
  world[place] = true
  let shown = ''
  let removeBanner: (() => void) | null = null
  const look = async () => {
    const wanted = await ask('getBanner', {})
    // A missing answer is not a failure: keep what is shown.
    if (wanted === undefined) return
    const key = JSON.stringify(wanted)
    if (key === shown) return
    shown = key
    removeBanner?.()
    removeBanner = wanted && showBanner(wanted)
  }
  onNotice(() => void look())
  void look()
}
