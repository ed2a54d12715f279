package dev.anemone.passes;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "dev.anemone.passes",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ModuleRulesTest {

  @ArchTest
  static final ArchRule passesSeeTheIrOnly =
      classes()
          .that()
          .resideInAPackage("dev.anemone.passes..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..", "dev.anemone.ir..", "dev.anemone.passes..", "com.fasterxml.jackson..");

  @ArchTest
  static final ArchRule jsonIsForPrintersOnly =
      classes()
          .that()
          .resideInAPackage("dev.anemone.passes..")
          .and()
          .haveNameNotMatching(".*TracePrinter.*")
          .should()
          .onlyDependOnClassesThat()
          .resideOutsideOfPackage("com.fasterxml.jackson..");

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("dev.anemone.passes.(*)..").should().beFreeOfCycles();
}
