import { BrandMark } from '../ui/brand-mark.tsx'

/** Loading screen. Looks the same as the one in index.html that is shown before scripts have loaded. */
export const Splash = () => (
  <div className="splash" role="status">
    <BrandMark />
    <p>Loading Muster…</p>
  </div>
)
