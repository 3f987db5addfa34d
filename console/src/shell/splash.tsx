import { BrandMark } from '../ui/brand-mark.tsx'

/** Shown until the page can be. It continues what index.html shows before any script has arrived. */
export const Splash = () => (
  <div className="splash" role="status">
    <BrandMark />
    <p>Loading Muster…</p>
  </div>
)
