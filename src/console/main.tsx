/**
 * The console: a page on the gateway's HTTP interface.
 */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { Fallback } from './components/fallback.tsx'
import './styles/palette.css'
import './styles/layout.css'
import './styles/controls.css'
import './styles/timeline.css'
import './styles/prose.css'
import './styles/waiting.css'
import './styles/dialogs.css'

const root = document.querySelector('#root')
if (root === null) throw new Error('The page has no element for the console.')
createRoot(root).render(
  <StrictMode>
    <Fallback instead={<p className="empty">This page failed. Nothing is lost: load it again.</p>}>
      <App />
    </Fallback>
  </StrictMode>,
)
