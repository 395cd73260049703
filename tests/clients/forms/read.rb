# Prints the trees of all forms in a folder, as Rack reads them.
require "json"
require "rack/utils"

forms = Dir.glob(File.join(ARGV.fetch(0), "*.form"))
trees = forms.to_h do |form|
  [File.basename(form, ".form"), Rack::Utils.parse_nested_query(File.read(form))]
end
puts JSON.generate(trees)
