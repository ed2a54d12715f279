// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.SamplePlans;
import dev.anemone.ir.testing.RandomPlans;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PlanJsonTest {

  @Test
  void aPlanIsShortAndReadable() {
    assertThat(new String(PlanJson.write(SamplePlans.q6()), StandardCharsets.US_ASCII))
        .isEqualTo(
            "{\"version\":1,\"scan\":[[\"l_quantity\",\"decimal(15,2)\",true],"
                + "[\"l_extendedprice\",\"decimal(15,2)\",true],"
                + "[\"l_discount\",\"decimal(15,2)\",true],[\"l_shipdate\",\"date\",true]],"
                + "\"operators\":[[\"filter\",[\"and\","
                + "[\">=\",[\"column\",\"l_shipdate\"],[\"literal\",\"date\",\"1994-01-01\"]],"
                + "[\"<\",[\"column\",\"l_shipdate\"],"
                + "[\"date_add\",[\"literal\",\"date\",\"1994-01-01\"],1,\"year\"]],"
                + "[\"between\",[\"column\",\"l_discount\"],"
                + "[\"literal\",\"decimal(2,2)\",\"0.05\"],[\"literal\",\"decimal(2,2)\",\"0.07\"]],"
                + "[\"<\",[\"column\",\"l_quantity\"],[\"literal\",\"decimal(2,0)\",\"24\"]]]],"
                + "[\"project\",[\"revenue\","
                + "[\"*\",[\"column\",\"l_extendedprice\"],[\"column\",\"l_discount\"]]]],"
                + "[\"aggregate\",\"complete\",[],[[\"revenue\",\"sum\",\"revenue\"]]]]}");
  }

  @Property(tries = 500)
  void whatIsWrittenIsRead(@ForAll long seed) {
    RandomPlans plans = new RandomPlans(new Random(seed));
    RelationalPlan plan = plans.plan(plans.row());
    byte[] bytes = PlanJson.write(plan);
    assertThat(PlanJson.readPlan(bytes)).isEqualTo(plan);
    assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).matches("[ -~]*");
    for (RelationalOperator operator : plan.operators()) {
      FunctionSpec spec = RelationalFunctions.specOf(operator);
      assertThat(RelationalFunctions.operatorOf(spec)).contains(operator);
    }
  }

  @Property(tries = 500)
  void differentPlansHaveDifferentTexts(@ForAll long seed) {
    RandomPlans plans = new RandomPlans(new Random(seed));
    RelationalPlan one = plans.plan(plans.row());
    RelationalPlan other = plans.plan(one.scan());
    assertThat(one.text().equals(other.text())).isEqualTo(one.equals(other));
  }

  @Property(tries = 1000)
  void bytesOfAnyKindAreReadOrRefused(@ForAll byte[] bytes) {
    readOrRefused(bytes);
  }

  /** Plans with a few bytes changed, taken out or repeated: most are still JSON. */
  @Property(tries = 3000)
  void spoiltPlansAreReadOrRefused(@ForAll long seed) {
    Random random = new Random(seed);
    RandomPlans plans = new RandomPlans(random);
    StringBuilder text =
        new StringBuilder(
            new String(PlanJson.write(plans.plan(plans.row())), StandardCharsets.US_ASCII));
    String alphabet = "[]{}\",:0123456789-.eE\\ntrufalse ";
    for (int i = random.nextInt(3); i >= 0; i--) {
      int at = random.nextInt(text.length());
      int to = Math.min(text.length(), at + random.nextInt(30));
      switch (random.nextInt(3)) {
        case 0 -> text.setCharAt(at, alphabet.charAt(random.nextInt(alphabet.length())));
        case 1 -> text.delete(at, Math.max(at + 1, to));
        default -> text.insert(at, text.substring(at, to));
      }
      if (text.length() == 0) {
        break;
      }
    }
    readOrRefused(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void readOrRefused(byte[] bytes) {
    Throwable refusal = catchThrowable(() -> PlanJson.readPlan(bytes).text());
    if (refusal != null) {
      assertThat(refusal).isInstanceOf(InvalidPlanException.class);
      assertThat(refusal.getMessage()).isNotBlank().hasSizeLessThan(2000);
    }
  }

  @Test
  void whatIsNotKnownIsRefusedWithTheReason() {
    refused("", "the plan should be an object");
    refused("[]", "the plan should be an object and is []");
    refused("{\"version\":2}", "version 2, and only 1 is known");
    refused("{\"version\":1,\"version\":1}", "Duplicate field 'version'");
    refused("{\"version\":1} x", "the plan is no JSON");
    refused(plan("[\"filter\",true]", ",\"sql\":\"drop table t\""), "an expression should be");
    refused(plan("", ",\"sql\":\"drop table t\""), "a member that is not known: sql");
    refused(plan("[\"sql\",\"select 1\"]", ""), "there is no operator \"sql\"");
    refused(
        plan("[\"filter\",[\"read_text\",\"/etc/passwd\"]]", ""), "no expression \"read_text\"");
    refused(plan("[\"filter\",[\"column\",\"a\",\"b\"]]", ""), "[\"column\", name]");
    refused(plan("[\"filter\",[\"literal\",\"int32\",5]]", ""), "should be a string and is 5");
    refused(plan("[\"filter\",[\"literal\",\"int\",\"5\"]]", ""), "there is no type int");
    refused(plan("[\"filter\",[\"=\",[\"column\",\"a\"]]]", ""), "should be an array of 3");
    refused(plan("[\"aggregate\",\"half\",[],[]]", ""), "one of complete, partial, final");
    refused(
        plan("[\"filter\",[\"column\",\"b\"]]", ""), "operator 1 (filter): there is no column b");
    refused(plan("[]", ""), "the kind of an operator should be a string");
  }

  @Test
  void depthAndSizeAreLimited() {
    String not = "[\"not\",";
    String deep = not.repeat(Expression.MAX_DEPTH) + "[\"column\",\"a\"]";
    refused(
        plan("[\"filter\"," + deep + "]".repeat(Expression.MAX_DEPTH) + "]", ""),
        "nested deeper than 64");
    refused("[".repeat(100_000), "the plan is no JSON");
    assertThatThrownBy(() -> PlanJson.readPlan(new byte[PlanJson.MAX_BYTES + 1]))
        .isInstanceOf(InvalidPlanException.class)
        .hasMessageContaining("too large");
  }

  @Test
  void otherFunctionsAreNoOperators() {
    assertThat(RelationalFunctions.operatorOf(FunctionSpec.of("anemone:beam:par_do:v1"))).isEmpty();
    assertThatThrownBy(
            () -> RelationalFunctions.operatorOf(FunctionSpec.of("anemone:relational:v1")))
        .isInstanceOf(InvalidPlanException.class);
  }

  private static String plan(String operators, String more) {
    return "{\"version\":1,\"scan\":[[\"a\",\"boolean\",true]],\"operators\":["
        + operators
        + "]"
        + more
        + "}";
  }

  private static void refused(String json, String reason) {
    assertThatThrownBy(() -> PlanJson.readPlan(json.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(InvalidPlanException.class)
        .hasMessageContaining(reason);
  }
}
