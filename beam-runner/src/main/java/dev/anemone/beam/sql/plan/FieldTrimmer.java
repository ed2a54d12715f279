// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import dev.anemone.beam.sql.rel.UnaryRel;
import java.util.Set;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.RelFactories;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql2rel.RelFieldTrimmer;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.mapping.Mapping;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.mapping.MappingType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.mapping.Mappings;

/**
 * Makes every operator yield only the columns that the one above it reads. Public, as Calcite finds
 * the method for an operator by reflection.
 */
public final class FieldTrimmer extends RelFieldTrimmer {

  private FieldTrimmer(RelNode query) {
    super(null, RelFactories.LOGICAL_BUILDER.create(query.getCluster(), null));
  }

  static RelNode trimmed(RelNode query) {
    return new FieldTrimmer(query).trim(query);
  }

  /** Trims the input of an operator, and of its columns those that are the input's. */
  public TrimResult trimFields(
      UnaryRel unary, ImmutableBitSet used, Set<RelDataTypeField> extraFields) {
    int carried = unary.carried();
    ImmutableBitSet needed = used.intersect(ImmutableBitSet.range(carried)).union(unary.reads());
    TrimResult input = trimChild(unary, unary.getInput(), needed, extraFields);
    Mapping moved = input.right;
    UnaryRel narrow = unary.on(unary.getTraitSet(), input.left, moved);
    Mapping mapping =
        Mappings.create(
            MappingType.INVERSE_SURJECTION,
            unary.getRowType().getFieldCount(),
            narrow.getRowType().getFieldCount());
    for (int column = 0; column < carried; column++) {
      if (needed.get(column)) {
        mapping.set(column, moved.getTarget(column));
      }
    }
    for (int own = 0; own < unary.own().size(); own++) {
      mapping.set(carried + own, narrow.carried() + own);
    }
    return result(narrow, mapping);
  }
}
