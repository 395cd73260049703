import './start';
import './styles/tokens.css';
import './styles/base.css';
import './theme';
import { render } from 'preact';
import { recall } from './api/session';
import { App } from './app';
import { listenToKeys } from './keys';
import { followLinks } from './router';
import { start } from './words/language';

followLinks(document);
listenToKeys(document);
void recall();
void start().then(() => {
  const root = document.getElementById('app');
  if (root !== null) render(<App />, root);
});
