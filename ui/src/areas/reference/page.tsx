import { useLoad } from '../../parts/load';
import { Page } from '../../parts/page';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { reference as dictionary } from '../../words/reference';
import { reference } from './document';
import { List } from './list';
import { OperationView } from './operation';
import { OVERVIEW, Overview } from './overview';
import './page.css';

/** Every operation of the service and every callback, to be read, searched and tried. */
export function ReferencePage({ id }: { id?: string | undefined }) {
  const words = dictionary();
  const loaded = useLoad('reference', reference);
  const all = loaded.data.value;
  const operation = all?.operations.find((it) => it.id === id);
  return (
    <Page title={words.title} about={operation?.id} fills>
      {loaded.problem.value !== undefined && <ProblemNote problem={loaded.problem.value} retry={loaded.reload} />}
      {all === undefined && loaded.problem.value === undefined && <Skeleton />}
      {all !== undefined && (
        <List selected={id} operations={all.operations}>
          {id === undefined || id === OVERVIEW ? (
            <Overview document={all.document} />
          ) : (
            <OperationView key={id} document={all.document} operation={operation} />
          )}
        </List>
      )}
    </Page>
  );
}
