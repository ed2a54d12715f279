// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

class ModuleRulesTest {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.anemone.ndp");

  /** Storage nodes know plans, and nothing of the graph that they come from. */
  @Test
  void theEngineSeesPlansArrowAndDuckDb() {
    ArchRule rule =
        classes()
            .that()
            .resideInAPackage("dev.anemone.ndp.engine")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "java..",
                "dev.anemone.ir.relational",
                "dev.anemone.ir.relational.query",
                "dev.anemone.ndp.engine",
                "dev.anemone.ndp.engine.database",
                "dev.anemone.ndp.engine.feed",
                "dev.anemone.ndp.engine.inflate",
                "dev.anemone.ndp.engine.profile",
                "dev.anemone.ndp.engine.split",
                "dev.anemone.ndp.format",
                "dev.anemone.ndp.sql",
                "dev.anemone.ndp.text",
                "org.apache.arrow..",
                "org.apache.parquet.format",
                "org.duckdb..",
                "org.slf4j");
    rule.check(CLASSES);
  }

  /** What is said in SQL comes of plans, and of nothing else. */
  @Test
  void sqlIsMadeOfPlans() {
    ArchRule rule =
        classes()
            .that()
            .resideInAPackage("dev.anemone.ndp.sql")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                "java..",
                "dev.anemone.ir.relational",
                "dev.anemone.ir.relational.query",
                "dev.anemone.ndp.sql");
    rule.check(CLASSES);
  }

  @Test
  void onlyTheEngineRunsQueries() {
    ArchRule rule =
        noClasses()
            .that()
            .resideOutsideOfPackage("dev.anemone.ndp.engine..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "org.duckdb..");
    rule.check(CLASSES);
  }

  /** Every package is a slice of its own, those below another one, too. */
  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.anemone.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}
