// The page of `kubectl md dashboard`. It shows rows that the server computes and asks the server to act; it decides nothing itself.

import { render } from 'preact';
import { App } from './app.tsx';
import './style/base.css';
import './style/overview.css';
import './style/object.css';
import './style/dialog.css';

const root = document.getElementById('page');
if (root !== null) render(<App />, root);
