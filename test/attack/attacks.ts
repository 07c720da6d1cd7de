import type { Attack } from './attack';
import { carts } from './attacks/carts';
import { clicks } from './attacks/clicks';
import { conversion } from './attacks/conversion';
import { crowd } from './attacks/crowd';
import { flood } from './attacks/flood';
import { history } from './attacks/history';
import { logs } from './attacks/logs';
import { orders } from './attacks/orders';
import { overload, tenants } from './attacks/overload';
import { pages } from './attacks/pages';
import { rates } from './attacks/rates';
import { related } from './attacks/related';
import { replies } from './attacks/replies';
import { tokens } from './attacks/tokens';
import { trends } from './attacks/trends';
import { typed } from './attacks/typed';
import { vocabulary } from './attacks/vocabulary';
import { words } from './attacks/words';

export const attacks: readonly Attack[] = [
  carts,
  history,
  orders,
  conversion,
  flood,
  clicks,
  rates,
  trends,
  related,
  crowd,
  typed,
  logs,
  replies,
  overload,
  tenants,
  vocabulary,
  words,
  tokens,
  pages,
];
