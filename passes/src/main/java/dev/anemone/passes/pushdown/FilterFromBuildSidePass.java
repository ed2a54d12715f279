// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.pushdown;

import dev.anemone.ir.BuildSideKeys;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.KeyFilters;
import dev.anemone.ir.property.KeyFilters.KeyFilter;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.graph.Annotator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Lets the readers of a source leave out what a join behind it has no use for: when the small side
 * of the join is there, its keys become a filter of the scan, the first of all. Row groups of
 * Parquet that cannot hold such a key are not read, and what is pushed to the storage side begins
 * with it.
 *
 * <pre>
 * before:  lineitem --> filter --> batches --> join (query on pieces)
 *          part ==BROADCAST==> join
 *
 * after:   lineitem [KeyFilters=(l_partkey in x1.p_partkey of join)] --> filter --> batches --> join
 *          part ==BROADCAST==> join
 * </pre>
 *
 * <p>Where {@link BuildSideKeys} says that no row is lost: in inner and semi joins, and of the side
 * of an outer join that is not kept. The tasks of the join wait for the small side anyway. Known as
 * semi-join reduction (Bernstein and Chiu, 1981), and as dynamic partition pruning.
 */
public final class FilterFromBuildSidePass implements AnnotatingPass {

  public static final PassOption<Integer> KEY_FILTER_VALUES =
      PassOption.wholeNumber(
          "keyFilterValues",
          0,
          1_000,
          "keys of a broadcast side of a join that are looked for one by one where the other side"
              + " is read; if there are more, for what lies between the smallest and the largest;"
              + " 0: for nothing");

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(KeyFilters.class);
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(KEY_FILTER_VALUES);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    int most = context.get(KEY_FILTER_VALUES);
    if (most == 0) {
      return dag;
    }
    Map<String, List<KeyFilter>> keys = BuildSideKeys.of(dag);
    return Annotator.vertices(
        dag,
        KeyFilters.class,
        vertex ->
            Optional.ofNullable(keys.get(vertex.id()))
                .map(filters -> new KeyFilters(filters, most)));
  }

  @Override
  public List<String> notes(IRDag dag, PassContext context) {
    List<String> notes = new ArrayList<>();
    if (context.get(KEY_FILTER_VALUES) > 0) {
      BuildSideKeys.of(dag)
          .forEach(
              (source, filters) -> {
                String name = ((SourceVertex) dag.vertex(source)).name();
                filters.forEach(
                    filter ->
                        notes.add(source + " (" + name + ") is read only where " + filter.text()));
              });
    }
    return notes;
  }
}
