import {
  type FormEvent,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useState,
} from 'react';
import { navigate, place, productPath, searchPath, usePlace } from '../router';
import { type Completion, complete } from '../shop/api';
import { useShopper } from '../shop/shopper';
import { useLoaded } from '../shop/use-loaded';
import { useWords } from '../words';
import { Options } from './options';

const PAUSE_MS = 120;

/** Where each choice leads: queries first, then products. */
const targetsOf = ({ queries, products }: Completion): string[] => [
  ...queries.map(({ query }) => searchPath(query)),
  ...products.map(({ id }) => productPath(id)),
];

function useSlowly(text: string): string {
  const [slow, setSlow] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return slow;
}

/** The query of the address, and what is typed since. */
function useTyped(): [string, (text: string) => void] {
  const { levels, query } = usePlace();
  const named = levels[0] === 'search' ? (query.get('q') ?? '') : '';
  const [state, setState] = useState({ named, text: named });
  if (state.named !== named) setState({ named, text: named });
  return [state.text, (text) => setState({ named, text })];
}

/** What may be meant; the page of results, where that is what is looked at, is brought along. */
function useCompletion(typed: string, isOpen: boolean): Completion | undefined {
  const { shopper } = useShopper();
  const prefix = useSlowly(typed);
  const key = isOpen ? JSON.stringify([prefix, shopper.ids]) : null;
  const { data } = useLoaded(key, (signal) => complete(prefix, shopper.ids, signal));
  useEffect(() => {
    if (!isOpen || place().levels[0] !== 'search' || (place().query.get('q') ?? '') === prefix) return;
    navigate(searchPath(prefix), { replace: true });
  }, [prefix, isOpen]);
  return data;
}

/** What is typed, whether the list below is open, and where the keyboard is in it: -1 is the box. */
function useBox() {
  const [typed, setTyped] = useTyped();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const type = (text: string): void => {
    setTyped(text);
    setActive(-1);
    setOpen(true);
  };
  const close = (): void => {
    setOpen(false);
    setActive(-1);
  };
  return { typed, type, isOpen, setOpen, active, setActive, close };
}

/** Search as you type: a combobox with queries and products. On the page of results these follow what is typed. */
export function SearchBox(): ReactNode {
  const words = useWords();
  const { typed, type, isOpen, setOpen, active, setActive, close } = useBox();
  const list = useId();
  const data = useCompletion(typed, isOpen);
  const targets = data ? targetsOf(data) : [];
  const isShown = isOpen && targets.length > 0;

  const go = (target: string): void => {
    close();
    navigate(target);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    go((isShown && targets[active]) || searchPath(typed));
  };
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape' && isShown) {
      // It would also empty the box.
      event.preventDefault();
      close();
    }
    if (step === undefined || targets.length === 0) return;
    event.preventDefault();
    setOpen(true);
    // From the box to the first, and from the last back to the box.
    setActive((now) => ((now + 1 + step + targets.length + 1) % (targets.length + 1)) - 1);
  };
  return (
    <search
      className="search-box"
      onBlur={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) close();
      }}
    >
      <form onSubmit={submit}>
        <Box
          list={list}
          isShown={isShown}
          active={active}
          typed={typed}
          type={type}
          onFocus={() => setOpen(true)}
          onKeyDown={move}
        />
        <button type="submit">{words.searchAction}</button>
      </form>
      <Options
        id={list}
        completion={isShown ? data : undefined}
        active={active}
        choose={(index) => go(targets[index] ?? '/')}
      />
    </search>
  );
}

interface BoxProps extends Pick<InputHTMLAttributes<HTMLInputElement>, 'onFocus' | 'onKeyDown'> {
  /** Id of the list below. */
  list: string;
  isShown: boolean;
  active: number;
  typed: string;
  type: (text: string) => void;
}

function Box({ list, isShown, active, typed, type, ...handlers }: BoxProps): ReactNode {
  const words = useWords();
  return (
    <input
      type="search"
      role="combobox"
      aria-label={words.search}
      placeholder={words.search}
      aria-expanded={isShown}
      aria-controls={list}
      aria-autocomplete="list"
      aria-activedescendant={isShown && active >= 0 ? `${list}-${active}` : undefined}
      autoComplete="off"
      maxLength={200}
      value={typed}
      onChange={({ target }) => type(target.value)}
      {...handlers}
    />
  );
}
