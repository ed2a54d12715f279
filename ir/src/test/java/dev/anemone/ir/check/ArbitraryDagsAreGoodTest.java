// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.testing.ArbitraryDags;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ArbitraryDagsAreGoodTest {

  @Provide
  Arbitrary<IRDag> fromFrontEnd() {
    return ArbitraryDags.fromFrontEnd();
  }

  @Provide
  Arbitrary<IRDag> annotated() {
    return ArbitraryDags.annotated();
  }

  @Property
  void graphsFromTheFrontEndBreakNoRule(@ForAll("fromFrontEnd") IRDag dag) {
    assertThat(IRDagChecker.standard().violations(dag)).isEmpty();
  }

  @Property
  void annotatedGraphsBreakNoRule(@ForAll("annotated") IRDag dag) {
    assertThat(IRDagChecker.standard().violations(dag)).isEmpty();
  }
}
