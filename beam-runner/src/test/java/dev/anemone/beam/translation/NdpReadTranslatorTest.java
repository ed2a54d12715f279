// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.sql.AnemoneQueryPlanner;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.json.RelationalFunctions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.extensions.sql.SqlTransform;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NdpReadTranslatorTest {

  @TempDir private Path directory;

  @Test
  void tpchQ6IsAReadWithThreeOperatorsThatCanBePushed() throws Exception {
    assertThat(
            operators(
                "SELECT SUM(price * discount) AS revenue FROM t WHERE shipped >= DATE '1994-01-01'"
                    + " AND shipped < DATE '1994-01-01' + INTERVAL '1' YEAR"
                    + " AND discount BETWEEN 0.06 - 0.01 AND 0.06 + 0.01 AND quantity < 24"))
        .containsExactly(
            "filter (((shipped >= date '1994-01-01') and (shipped < date '1995-01-01')) and"
                + " (discount >= 0.05:decimal(2,2)) and (discount <= 0.07:decimal(2,2)) and"
                + " (quantity < 24))",
            "project (price * discount) as \"$f0\"",
            "aggregate partial: sum(\"$f0\") as s0");
  }

  /** And with it what may fail, which is not computed of rows that are left out there. */
  @Test
  void whatCannotBeSaidStaysAboveTheRead() throws Exception {
    assertThat(
            operators(
                "SELECT CHAR_LENGTH(flag) AS l, quantity + 1 AS q FROM t WHERE quantity > 3 AND"
                    + " UPPER(flag) = 'A'"))
        .containsExactly("filter (quantity > 3)", "project flag as c0, quantity as c1");
  }

  private List<String> operators(String query) throws Exception {
    IRDag dag = translated(query);
    SourceVertex source =
        (SourceVertex)
            dag.vertices().stream()
                .filter(SourceVertex.class::isInstance)
                .findFirst()
                .orElseThrow();
    assertThat(source.parts()).hasSize(1);
    assertThat(source.parts().get(0).sizeBytes()).isEqualTo(26);
    List<OperatorVertex> relational =
        dag.vertices().stream()
            .filter(OperatorVertex.class::isInstance)
            .map(OperatorVertex.class::cast)
            .filter(vertex -> RelationalFunctions.operatorOf(vertex.operator()).isPresent())
            .toList();
    assertThat(relational)
        .allSatisfy(
            vertex ->
                assertThat(vertex.traits())
                    .isEqualTo(Set.of(OperatorTrait.PUSHABLE, OperatorTrait.PURE)));
    return relational.stream()
        .map(vertex -> RelationalFunctions.operatorOf(vertex.operator()).orElseThrow())
        .map(RelationalOperator::text)
        .toList();
  }

  private IRDag translated(String query) throws Exception {
    Path file = Files.writeString(directory.resolve("t.csv"), "1.00|0.05|3|A|1994-02-03\n\n");
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs("--runner=NemoRunner", "--columnar=off").create());
    pipeline.apply(
        "Query",
        SqlTransform.query(query)
            .withDdlString(
                "CREATE EXTERNAL TABLE t (price DECIMAL, discount DECIMAL, quantity INTEGER,"
                    + " flag VARCHAR, shipped DATE) TYPE ndp LOCATION '"
                    + file
                    + "' TBLPROPERTIES '{\"format\": \"csv\", \"delimiter\": \"|\","
                    + " \"decimals\": \"15,2\"}'")
            .withQueryPlannerClass(AnemoneQueryPlanner.class));
    return PipelineTranslator.translate(pipeline, pipeline.getOptions(), 2).dag();
  }
}
